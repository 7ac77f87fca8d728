import { eventually, nothingWaits } from "./product.ts";

export type MailboxMessage = { id: string; to: string; subject: string; text: string; html: string; date: string };

/** The development mailbox's mails, newest first. */
export async function mailbox(url: string): Promise<MailboxMessage[]> {
  return (await fetch(`${url}/mailbox/messages`)).json() as Promise<MailboxMessage[]>;
}

/** The six digits in a mail's text. */
export function codeIn(text: string): string {
  const code = text.match(/\b\d{6}\b/)?.[0];
  if (code === undefined) throw new Error(`There is no code in the mail: ${text}`);
  return code;
}

/** Future mails to a recipient: each by its subject, once it has arrived. */
export async function mailsFromNow(url: string, email: string) {
  const before = new Set((await mailbox(url)).map(({ id }) => id));
  const arrived = async () => (await mailbox(url)).filter(({ id, to }) => !before.has(id) && to.includes(email));
  return {
    /** When nothing is left to be sent. */
    async all(): Promise<MailboxMessage[]> {
      await nothingWaits(url);
      return arrived();
    },
    mail: (subject: RegExp) =>
      eventually(`a mail to ${email}: ${subject}`, async () =>
        (await arrived()).find((one) => subject.test(one.subject)),
      ),
  };
}

export type Client = {
  call(method: string, path: string, body?: unknown): Promise<Response>;
  /** What the next request would send. */
  cookie(): string;
};

/** A client with its own cookie jar and the headers of our own page. */
export function apiClient(url: string, startCookie = ""): Client {
  let cookie = startCookie;
  return {
    async call(method, path, body) {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { Origin: url, Cookie: cookie, ...(body !== undefined && { "Content-Type": "application/json" }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const set = response.headers.get("Set-Cookie");
      if (set) cookie = set.split(";")[0] ?? "";
      return response;
    },
    cookie: () => cookie,
  };
}

export const PASSWORD = "Tranquil-Harbour-42";

/** Registers and logs in over HTTP; `readCode` returns the mailed code. */
export async function signIn(url: string, email: string, readCode: () => Promise<string | undefined>): Promise<Client> {
  const client = apiClient(url);
  const names = { firstName: "Alice", lastName: "Meyer", language: "en", terms: true };
  const registered = await client.call("POST", "/api/register", {
    ...names,
    email,
    password: PASSWORD,
    confirmPassword: PASSWORD,
  });
  if (registered.status !== 201) throw new Error(`Cannot register: ${await registered.text()}`);
  await client.call("POST", "/api/login", { email, password: PASSWORD });
  const code = await eventually("the code arrives", readCode);
  const verified = await client.call("POST", "/api/verify-code", { code });
  if (!verified.ok) throw new Error(`Cannot verify: ${await verified.text()}`);
  return client;
}
