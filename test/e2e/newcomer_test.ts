import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { codeIn, mailbox } from "./api.ts";
import { eventually, type Product, removeDirectory, startProduct, type Visit, visit } from "./product.ts";
import { steps } from "./steps.ts";

/** The README's tutorial, as a new user follows it: embedded defaults only, in French, on a phone. */
describe("A newcomer with the embedded defaults", () => {
  let product: Product;
  let guest: Visit;

  beforeAll(async () => {
    product = await startProduct();
    guest = await visit(product.url, { locale: "fr-CH", viewport: { width: 360, height: 740 } });
  });
  afterAll(async () => {
    await guest?.close();
    await product?.stop();
    removeDirectory(product.dataDir);
  });

  const mails = (subject?: RegExp) =>
    mailbox(product.url).then((all) => all.filter((mail) => subject?.test(mail.subject) ?? true));

  test("registers, reads the code in the local mailbox, and sees an alert arrive after publish-breach", async () => {
    const { page } = guest;
    const french = steps(page, "fr");
    await page.goto("/");
    await page.waitForURL("**/fr/login");

    await french.register("ada@example.com");
    await french.logIn("ada@example.com");
    const [codeMail] = await eventually("the code is in the mailbox", async () => {
      const found = await mails();
      return found.length > 0 ? found : undefined;
    });
    await french.enterCode(codeIn(codeMail?.text ?? ""));
    await page.waitForURL("**/fr/dashboard");

    await page.goto("/fr/new-track");
    await french.button("track.submit").click();
    await page.waitForURL("**/fr/dashboard");
    await page.getByRole("row", { name: french.say("status.breached") }).waitFor();
    const reports = await eventually("one report arrives", async () => {
      const found = (await mails()).filter((mail) => mail.text.includes("Adobe"));
      return found.length > 0 ? found : undefined;
    });
    expect(reports).toHaveLength(1);
    for (const title of ["Adobe", "LinkedIn", "Dropbox", "Canva"]) expect(reports[0]?.text).toContain(title);
    const before = (await mails()).length;

    const published = Bun.spawnSync([process.execPath, "src/build/publish_breach.ts"], {
      cwd: join(import.meta.dirname, "../.."),
      env: { PATH: process.env.PATH ?? "", DATA_DIR: product.dataDir },
    });
    expect(published.exitCode).toBe(0);
    expect(published.stdout.toString()).toContain("ada@example.com");
    const after = await eventually("the new alert's mail arrives", async () => {
      const found = await mails();
      return found.length > before ? found : undefined;
    });
    expect(after).toHaveLength(before + 1);
    expect(after[0]?.text).toContain("China Software Developer Network");
    expect(after[0]?.text).toContain("ada@example.com");

    await page.goto("/fr/alerts");
    await page.getByText("China Software Developer Network").first().waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    expect(guest.violations).toEqual([]);
    expect(guest.errors).toEqual([]);
  });

  test("is told that the data is an example, and that the mailbox is limited to this machine", async () => {
    const instance = (await (await fetch(`${product.url}/api/instance`)).json()) as { demonstration: boolean };
    expect(instance.demonstration).toBe(true);
    expect(product.output()).toContain("Embedded defaults in use");
  });
});
