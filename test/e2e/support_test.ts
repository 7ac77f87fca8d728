import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { mailsFromNow } from "./api.ts";
import { eventually, type Product, removeDirectory, startProduct, temporaryDirectory, visit } from "./product.ts";
import { steps } from "./steps.ts";

const ASKER = "claire@example.net";
const HELPER = "helper@example.net";
const DESK = "desk@example.org";
const TROUBLE = "Depuis lundi, plus rien n’arrive.\nMerci d’avance !";

let dataDir: string;
let product: Product;
beforeAll(async () => {
  dataDir = temporaryDirectory();
  product = await startProduct({ SUPPORT_EMAIL: DESK }, dataDir);
}, 120_000);
afterAll(async () => {
  await product.stop();
  removeDirectory(dataDir);
});

/** The operator's command that makes a user staff, while the product runs. */
async function markAsStaff(email: string): Promise<void> {
  const command = Bun.spawn(
    [process.execPath, join(import.meta.dirname, "../../src/breachbell.ts"), "users", "staff", email, "on"],
    { env: { PATH: process.env.PATH ?? "", DATA_DIR: dataDir }, stdout: "pipe", stderr: "pipe" },
  );
  const said = await new Response(command.stdout).text();
  if ((await command.exited) !== 0) throw new Error(`Cannot mark: ${said}${await new Response(command.stderr).text()}`);
}

test("a user asks in French, the staff get a mail and answer, and the answer is read on the page and by mail", async () => {
  const asker = await visit(product.url, { locale: "fr-FR" });
  const journey = steps(asker.page, "fr");
  const { field, button, say, heading } = journey;
  await journey.register(ASKER);
  await journey.signIn(ASKER);
  await asker.page
    .getByRole("link", { name: say("nav.support"), exact: true })
    .first()
    .click();
  await heading("support.title").waitFor();
  expect(await field("field.email").inputValue()).toBe(ASKER);
  await field("support.type").selectOption("technical");
  await field("support.priority").selectOption("high");
  await field("support.subject").fill("Plus d’alertes");
  await field("support.description").fill(TROUBLE);
  await asker.page.getByRole("checkbox").check();
  const [toDesk, toAsker] = [await mailsFromNow(product.url, DESK), await mailsFromNow(product.url, ASKER)];
  await button("support.send").click();
  await asker.page.getByRole("heading", { name: say("support.sent") }).waitFor();
  const reference = await field("support.reference").inputValue();
  expect(reference).toMatch(/^BB-\w{4}-\w{4}$/);

  const filed = await toDesk.mail(/New request/);
  expect(filed.subject).toBe(`New request ${reference}: Plus d’alertes`);
  for (const words of [...TROUBLE.split("\n"), "Ada Byron", "Technical", "High", "French", ASKER])
    expect(filed.text).toContain(words);
  const confirmed = await toAsker.mail(/Nous avons bien reçu votre demande/);
  expect(confirmed.text).toContain(reference);
  expect(confirmed.text).not.toContain("lundi");

  const helper = await visit(product.url);
  const staff = steps(helper.page, "en");
  await staff.register(HELPER);
  await staff.signIn(HELPER);
  await markAsStaff(HELPER);
  const [link = ""] = /http\S+\/staff\/tickets\/\S+/.exec(filed.text) ?? [];
  await helper.page.goto(link);
  await helper.page.getByRole("heading", { level: 1, name: "Plus d’alertes" }).waitFor();
  await helper.page.getByText("Depuis lundi").waitFor();
  await helper.page.getByRole("textbox", { name: staff.say("tickets.answer") }).fill("Votre boîte était pleine.");
  await staff.button("tickets.answer_send").click();
  await helper.page.getByText("Votre boîte était pleine.").first().waitFor();
  await helper.page.goto("/en/staff/tickets");
  await staff.field("support.state").selectOption("answered");
  await helper.page.getByRole("link", { name: "Plus d’alertes" }).waitFor();

  const answered = await toAsker.mail(/Réponse à votre demande/);
  expect(answered.text).toContain("Votre boîte était pleine.");
  const [conversation = ""] = /http\S+\/fr\/support\?ticket=\S+/.exec(answered.text) ?? [];
  await asker.page.goto(conversation);
  await asker.page.getByText("Votre boîte était pleine.").waitFor();
  await field("support.reply").fill("Merci, tout arrive.");
  await button("support.reply_send").click();
  await asker.page.getByText("Merci, tout arrive.").first().waitFor();
  expect((await toDesk.mail(/Another message/)).text).toContain("Merci, tout arrive.");
  await button("support.close").click();
  await asker.page.getByText(say("support.is_closed")).waitFor();
  await asker.page.goto("/fr/support");
  const listed = asker.page.getByRole("listitem").filter({ hasText: reference });
  await eventually("the list says closed", async () => {
    return (await listed.textContent())?.includes(say("support.state.closed")) || undefined;
  });
  expect([...asker.violations, ...asker.errors, ...helper.violations, ...helper.errors]).toEqual([]);
  await asker.close();
  await helper.close();
}, 180_000);
