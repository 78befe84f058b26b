// POST /v1/chat/completions on loopback for one GGUF model: node server.mjs MODEL [PORT] [THREADS] [CONTEXT].
// One answer at a time, so that calls queue. What a prompt has in common with the one before is not read again.
import {createServer} from "node:http";
import {basename, dirname, join, resolve} from "node:path";
import {createRequire} from "node:module";
import {pathToFileURL} from "node:url";

const [modelPath, port = "0", threads = "1", contextSize = "4096"] = process.argv.slice(2);
if (!modelPath) {
  console.error("usage: node server.mjs MODEL [PORT] [THREADS] [CONTEXT]");
  process.exit(2);
}
const MOST_TOKENS = 1024;
const name = basename(modelPath, ".gguf");

// The packages lie beside the model, not beside this file.
const beside = createRequire(join(dirname(resolve(modelPath)), "beside.js"));
const {getLlama, LlamaChatSession} = await import(pathToFileURL(beside.resolve("node-llama-cpp")).href);

const llama = await getLlama({build: "never", gpu: false, logLevel: "error", maxThreads: Number(threads)});
const model = await llama.loadModel({modelPath});
const context = await model.createContext({contextSize: Number(contextSize), threads: Number(threads), sequences: 1});
const sequence = context.getSequence();

class Refused extends Error {}

// The grammar of a response format, undefined where any text will do.
const grammars = new Map();
async function grammarOf(format) {
  if (!format || format.type === "text") return undefined;
  const schema = format.type === "json_schema" ? format.json_schema?.schema : null;
  if (!schema && format.type !== "json_object") throw new Refused(`response_format ${format.type} is not supported`);
  const key = JSON.stringify(schema);
  if (!grammars.has(key))
    grammars.set(key, schema ? await llama.createGrammarForJsonSchema(schema) : await llama.getGrammarFor("json"));
  return grammars.get(key);
}

function historyOf(messages) {
  return messages.map(({role, content}) => {
    if (typeof content !== "string") throw new Refused("content must be a text");
    if (role === "assistant") return {type: "model", response: [content]};
    return {type: role === "system" ? "system" : "user", text: content};
  });
}

async function answer(request, signal) {
  const messages = request.messages ?? [];
  const asked = messages.at(-1);
  if (asked?.role !== "user") throw new Refused("the last message must be the user's");
  const grammar = await grammarOf(request.response_format);
  const session = new LlamaChatSession({contextSequence: sequence, autoDisposeSequence: false, systemPrompt: ""});
  try {
    session.setChatHistory(historyOf(messages.slice(0, -1)));
    const before = sequence.tokenMeter.getState();
    const said = await session.promptWithMeta(asked.content, {
      grammar,
      signal,
      stopOnAbortSignal: true,
      temperature: request.temperature ?? 0,
      maxTokens: request.max_completion_tokens ?? request.max_tokens ?? MOST_TOKENS,
    });
    const spent = sequence.tokenMeter.diff(before);
    return completion(said, spent, sequence.contextTokens.length - spent.usedOutputTokens);
  } finally {
    session.dispose({disposeSequence: false});
  }
}

function completion(said, {usedInputTokens: read, usedOutputTokens: written}, given) {
  const whole = Math.max(given, read);
  return {
    id: `chatcmpl-${Date.now()}`,
    object: "chat.completion",
    created: Math.floor(Date.now() / 1000),
    model: name,
    choices: [
      {
        index: 0,
        message: {role: "assistant", content: said.responseText},
        finish_reason: said.stopReason === "maxTokens" ? "length" : "stop",
      },
    ],
    usage: {
      prompt_tokens: whole,
      completion_tokens: written,
      total_tokens: whole + written,
      prompt_tokens_details: {cached_tokens: whole - read},
    },
  };
}

async function bodyOf(request) {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  try {
    return JSON.parse(Buffer.concat(pieces).toString("utf8"));
  } catch {
    throw new Refused("the body is no JSON");
  }
}

function reply(response, status, value) {
  response.writeHead(status, {"content-type": "application/json"}).end(JSON.stringify(value));
}

let queue = Promise.resolve();
function inTurn(work) {
  const mine = queue.then(work);
  queue = mine.catch(() => undefined);
  return mine;
}

async function handle(request, response) {
  if (request.method === "GET") return reply(response, 200, {object: "list", data: [{id: name, object: "model"}]});
  if (!request.url.endsWith("/chat/completions")) return reply(response, 404, {error: {message: "no such path"}});
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  try {
    const body = await bodyOf(request);
    // A caller that gave up while it waited is not answered.
    const value = await inTurn(() => (gone.signal.aborted ? null : answer(body, gone.signal)));
    if (value) reply(response, 200, value);
  } catch (error) {
    const refused = error instanceof Refused;
    if (!refused) console.error(error);
    reply(response, refused ? 400 : 500, {error: {message: refused ? error.message : "the model failed"}});
  }
}

const server = createServer(handle).listen(Number(port), "127.0.0.1", () =>
  console.log(`${name} at http://127.0.0.1:${server.address().port}/v1`),
);
