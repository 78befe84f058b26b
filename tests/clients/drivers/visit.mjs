// Opens pages of the dashboard: `node visit.mjs PLAN`. PLAN is a JSON object: playwright (folder), browser, base, folder
// for screenshots, and visits, each {name, path, does, shows, within, inOrder}. `does` are steps: {fill, with} or {click}
// of a selector. A visit ends when every text of `shows` is to be seen inside `within` (by default the page without its
// menu), with `inOrder` one below the other. One line of JSON per visit: {name, problems}.
import { createRequire } from "node:module";

const plan = JSON.parse(process.argv[2]);
const { chromium } = createRequire(`${plan.playwright}/`)("playwright-core");
const STEP_MS = 15000;
const QUIET = ["background-networking", "component-update", "sync", "default-apps", "gpu", "quic"];

const browser = await chromium.launch({
  executablePath: plan.browser,
  args: ["--no-sandbox", "--no-first-run", ...QUIET.map((part) => `--disable-${part}`)],
});
const context = await browser.newContext({ viewport: { width: 1440, height: 960 } });
await context.addInitScript(() => window.localStorage.setItem("dashboard.locale", "en"));

function watch(page, problems) {
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    if (response.status() >= 400 && pathname.startsWith("/api/v1/memory/")) {
      problems.push(`${response.status()} ${response.request().method()} ${pathname}`);
    }
  });
  page.on("pageerror", (error) => problems.push(`script: ${error.message}`));
}

async function take(page, step) {
  if (step.fill) await page.locator(step.fill).first().fill(step.with);
  if (step.click) await page.locator(step.click).first().click();
}

async function visit(wanted) {
  const problems = [];
  const page = await context.newPage();
  page.setDefaultTimeout(STEP_MS);
  watch(page, problems);
  try {
    await page.goto(plan.base + wanted.path);
    await page.waitForLoadState("networkidle"); // a form that is sent while its page still loads shows old data after it
    for (const step of wanted.does ?? []) await take(page, step);
    const tops = [];
    for (const text of wanted.shows) {
      const found = page.locator(wanted.within ?? "main").getByText(text).filter({ visible: true }).first();
      await found.waitFor();
      tops.push((await found.boundingBox()).y);
    }
    if (wanted.inOrder && tops.some((top, place) => place > 0 && top <= tops[place - 1])) {
      problems.push(`not one below the other: ${wanted.shows.join(", ")}`);
    }
  } catch (error) {
    problems.push(error.message.split("\n")[0]);
  }
  for (const toast of await page.locator('[data-sonner-toast][data-type="error"]').allInnerTexts()) {
    problems.push(`toast: ${toast}`);
  }
  await page.screenshot({ path: `${plan.folder}/${wanted.name}.png` });
  await page.close();
  return { name: wanted.name, problems: [...new Set(problems)] };
}

for (const wanted of plan.visits) process.stdout.write(`${JSON.stringify(await visit(wanted))}\n`);
await browser.close();
