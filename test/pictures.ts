// Takes the screenshots of the documents from a running product: `bun run pictures`.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { CHATS, isChat } from "../src/shared/chats.ts";
import { CHANNELS } from "../src/shared/contacts.ts";
import { codeIn, mailbox } from "./e2e/api.ts";
import { eventually, removeDirectory, startProduct, visit } from "./e2e/product.ts";
import { steps } from "./e2e/steps.ts";

const ROOT = join(import.meta.dirname, "..");
const FOLDER = join(ROOT, "docs/images");
const EMAIL = "ada@example.com";
const WIDTH = 1280;
const HEIGHT = 800;
const MAIL_WIDTH = 640;
const QUALITY = 0.8;

/** Chromium takes PNG screenshots only, but its canvas writes WebP, which is a quarter of the size. */
async function save(page: Page, name: string, what: Page | Locator = page, fullPage = false): Promise<void> {
  const options = { animations: "disabled", ...(fullPage && { fullPage }) } as const;
  const png = (await what.screenshot(options)).toString("base64");
  const canvas = await page.context().newPage();
  const encoded = await canvas.evaluate(
    async ([source, quality]) => {
      const image = new Image();
      image.src = `data:image/png;base64,${source}`;
      await image.decode();
      const drawn = document.createElement("canvas");
      drawn.width = image.naturalWidth;
      drawn.height = image.naturalHeight;
      drawn.getContext("2d")?.drawImage(image, 0, 0);
      return drawn.toDataURL("image/webp", quality);
    },
    [png, QUALITY] as const,
  );
  await canvas.close();
  const file = join(FOLDER, `${name}.webp`);
  await Bun.write(file, Buffer.from(encoded.split(",")[1] ?? "", "base64"));
  console.log(`${file} ${Math.ceil(Bun.file(file).size / 1024)} KB`);
}

/** The newest mail that contains this text, once it has arrived. */
function mailWith(url: string, words: string) {
  return eventually(`a mail with "${words}"`, async () =>
    (await mailbox(url)).find(({ text }) => text.includes(words)),
  );
}

mkdirSync(FOLDER, { recursive: true });
// The forms of all channels are shown; nothing is sent through these.
const product = await startProduct({ WEBHOOKS: "on", NTFY_BASE_URL: "https://ntfy.example.org" });
const guest = await visit(product.url, {
  viewport: { width: WIDTH, height: HEIGHT },
  reducedMotion: "reduce",
  colorScheme: "light",
});
try {
  const { page } = guest;
  const english = steps(page, "en");
  await english.register(EMAIL);
  await english.logIn(EMAIL);
  const code = await eventually("the code is in the mailbox", async () => (await mailbox(product.url))[0]);
  await english.enterCode(codeIn(code.text));
  await page.waitForURL("**/en/dashboard");
  await english.trackOwnAddress();
  await page.getByRole("row", { name: english.say("status.breached") }).waitFor();
  await mailWith(product.url, "Adobe");

  const published = Bun.spawnSync([process.execPath, "src/build/publish_breach.ts"], {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? "", DATA_DIR: product.dataDir },
  });
  if (published.exitCode !== 0) throw new Error(published.stderr.toString());
  const alert = await mailWith(product.url, "China Software Developer Network");

  await page.goto("/en/dashboard");
  await page.getByRole("row", { name: english.say("status.breached") }).waitFor();
  await save(page, "dashboard");
  await page.goto("/en/alerts");
  await page.getByText("China Software Developer Network").first().click();
  await page.waitForLoadState("networkidle");
  await save(page, "alert");

  // The headless browser refuses notifications to every site.
  await page.addInitScript(() => Object.defineProperty(Notification, "permission", { get: () => "granted" }));
  await page.goto("/en/contacts");
  // Whole, without the page's header above a part of it.
  await page.setViewportSize({ width: WIDTH, height: 2 * HEIGHT });
  for (const channel of CHANNELS) {
    const name = isChat(channel) ? CHATS[channel].name : english.say(`channel.${channel}`);
    const form = page
      .locator("section, div")
      .filter({ has: page.getByRole("radiogroup") })
      .last();
    await form.getByRole("radiogroup").getByText(name, { exact: true }).click();
    await page.waitForLoadState("networkidle");
    await save(page, channel, form);
  }

  await page.setViewportSize({ width: MAIL_WIDTH, height: 200 });
  await page.goto("about:blank");
  await page.setContent(alert.html);
  await save(page, "mail", page, true);
} finally {
  await guest.close();
  await product.stop();
  removeDirectory(product.dataDir);
}
process.exit();
