import type { Page } from "playwright-core";
import type { Language } from "../../src/shared/language.ts";
import { type Client, codeIn, type MailboxMessage, mailbox, signIn } from "./api.ts";
import { eventually, type Visit, visit } from "./product.ts";
import { wordsIn } from "./words.ts";

/** The name that `signIn` gives to everybody who registers. */
export const NAMED = { name: "Alice Meyer" };

export type Person = Visit & { client: Client };

/** A user with an account, in the browser. */
export async function member(url: string, email: string): Promise<Person> {
  const client = await signIn(url, email, async () => {
    const mail = (await mailTo(url, email)).find(({ text }) => /\b\d{6}\b/.test(text));
    return mail && codeIn(mail.text);
  });
  const screen = await visit(url, { viewport: { width: 1440, height: 900 } });
  const [name = "", value = ""] = client.cookie().split("=");
  await screen.page.context().addCookies([{ name, value, url }]);
  return { ...screen, client };
}

/** The mailbox's mails to a recipient, newest first. */
export async function mailTo(url: string, email: string): Promise<MailboxMessage[]> {
  return (await mailbox(url)).filter(({ to }) => to.includes(email));
}

/** The link of the newest mail that asks the owner of an address. */
export function invitationLink(url: string, email: string): Promise<string> {
  return eventually(`an invitation to ${email}`, async () => {
    const links = (await mailTo(url, email)).map(({ text }) => /https?:\S+\/manage-invitation#t=\S+/.exec(text)?.[0]);
    return links.find((link) => link !== undefined);
  });
}

/** Loads a page again, even if only the fragment differs. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto("about:blank");
  await page.goto(path);
}

/** User actions on the tracking screens, in one language. */
export function trackingSteps(page: Page, language: Language) {
  const say = wordsIn(language);
  const button = (key: string, values?: Record<string, string | number>) =>
    page.getByRole("button", { name: say(key, values), exact: true });
  const section = (key: string) => page.getByRole("region", { name: say(key) });

  return {
    say,
    button,
    section,
    inDialog: (key: string) => page.getByRole("dialog").getByRole("button", { name: say(key), exact: true }),

    async ask(address: string, { owner = false } = {}): Promise<void> {
      await page.goto(`/${language}/new-track`);
      await page.getByLabel(say("track.address"), { exact: true }).fill(address);
      await page.getByRole("radio", { name: say(owner ? "track.owner" : "track.somebody"), exact: true }).check();
      if (!owner) await page.getByLabel(say("track.invitation_language"), { exact: true }).selectOption(language);
      await page.getByLabel(say("track.language"), { exact: true }).selectOption(language);
      await button(owner ? "track.submit_ownership" : "track.submit_invitation").click();
    },

    /** The dashboard, as soon as one of its sections shows this. */
    async waitFor(key: string, words: string): Promise<void> {
      await eventually(`"${words}" under "${say(key)}"`, async () => {
        await page.goto(`/${language}/dashboard`);
        await section(key).waitFor();
        await page
          .getByRole("heading", { name: say("sent.title") })
          .getByText(/\d/)
          .waitFor();
        return (await section(key).getByText(words).first().isVisible()) || undefined;
      });
    },
  };
}
