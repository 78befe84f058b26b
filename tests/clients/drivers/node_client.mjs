// npm `tablestore` as a process: `node node_client.mjs PACKAGES OPTIONS`, where PACKAGES is the node_modules folder.
// Lines in and out as in python_client.py.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const [packages, options] = [process.argv[2], JSON.parse(process.argv[3])];
const TableStore = createRequire(`${packages}/`)("tablestore");
const client = new TableStore.Client({
  accessKeyId: options.keyId,
  secretAccessKey: options.secret,
  endpoint: options.endpoint,
  instancename: options.instance,
  maxRetries: 2,
});

function reply(operation, body) {
  const method = client[operation[0].toLowerCase() + operation.slice(1)];
  if (method === undefined) return Promise.resolve({ broken: `there is no method for ${operation}` });
  return new Promise((resolve) => {
    method.call(client, body, function done(error, answer) {
      const status = this?.httpResponse?.statusCode; // the client calls back on its response
      if (!error) resolve({ answer });
      else if (status >= 300) resolve({ refused: { status, code: error.code, message: error.message } });
      else resolve({ broken: `${error.name}: ${error.message}` });
    });
  });
}

for await (const line of createInterface({ input: process.stdin })) {
  const { operation, body } = JSON.parse(line);
  process.stdout.write(`${JSON.stringify(await reply(operation, body))}\n`);
}
process.exit(0);
