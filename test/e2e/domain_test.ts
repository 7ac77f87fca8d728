import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { apiClient, codeIn, mailsFromNow, PASSWORD } from "./api.ts";
import { type Product, removeDirectory, startProduct, temporaryDirectory, type Visit, visit } from "./product.ts";
import { steps } from "./steps.ts";

const OWNER = "owner@firm.example";
/** The domain of the example data. */
const DOMAIN = "example.com";
const PERSON = `ada@${DOMAIN}`;

describe.each([
  ["de", 360],
  ["fr", 1440],
] as const)("A whole domain in %s, %d px wide", (language, width) => {
  let product: Product;
  const visits: Visit[] = [];
  const dataDir = temporaryDirectory();
  const guest = async () => {
    const opened = await visit(product.url, { locale: language, viewport: { width, height: 800 } });
    visits.push(opened);
    return { page: opened.page, reader: steps(opened.page, language) };
  };
  beforeAll(async () => {
    product = await startProduct({ BILLING: "off" }, dataDir);
    const person = { firstName: "Olga", lastName: "Owner", email: OWNER, language, terms: true };
    await apiClient(product.url).call("POST", "/api/register", {
      ...person,
      password: PASSWORD,
      confirmPassword: PASSWORD,
    });
  }, 60_000);
  afterAll(async () => {
    for (const { close } of visits) await close();
    await product?.stop();
    removeDirectory(dataDir);
  });

  test("is proven by a code, its people are told, and one of them takes their address over", async () => {
    const { page, reader } = await guest();
    const { say, button } = reader;
    await page.goto(`/${language}/login`);
    await reader.signIn(OWNER);
    await page.goto(`/${language}/domains`);
    await page.getByLabel(say("domains.name"), { exact: true }).fill(DOMAIN);
    await page.getByRole("radio", { name: say("domains.proof.mail") }).check();
    await page.getByLabel(say("domains.mailbox"), { exact: true }).selectOption("hostmaster");
    await button("domains.submit").click();
    await page.waitForURL(`**/${language}/domains/*-*`);
    const codes = await mailsFromNow(product.url, `hostmaster@${DOMAIN}`);
    const notices = await mailsFromNow(product.url, PERSON);
    await button("domain.send_code").click();
    await page.getByLabel(say("domain.code"), { exact: true }).fill(codeIn((await codes.mail(/./)).text));
    await button("domain.confirm_code").click();
    await page.getByRole("heading", { name: say("domain.addresses"), exact: true }).waitFor();

    const notice = await notices.mail(/./);
    const link = notice.text.match(/https?:\/\/\S+domain-notice#t=\S+/)?.[0] ?? "";
    const ada = page.getByRole("button", { name: PERSON });
    await page.reload();
    await ada.waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await ada.click();
    await page.getByRole("dialog").getByText("Dropbox").first().waitFor();

    const other = await guest();
    await other.page.goto(link);
    await other.page.getByText(say("domain_notice.look.address", { name: "Olga Owner" })).waitFor();
    await other.page.getByRole("radio", { name: say("domain_notice.say.nothing"), exact: true }).check();
    await other.reader.button("domain_notice.save").click();
    await other.page.getByText(say("domain_notice.sees.nothing")).waitFor();
    expect(await other.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);

    await page.reload();
    await page.getByText(say("domain.withheld", { count: 1 })).waitFor();
    expect(await ada.count()).toBe(0);
    expect(visits.flatMap(({ violations, errors }) => [...violations, ...errors])).toEqual([]);
  }, 120_000);
});
