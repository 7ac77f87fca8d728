import { codeIn, mailbox, signIn } from "../e2e/api.ts";
import { load, type Sample } from "./load.ts";

const CALLERS = 32;

/** The cookie of a new account at a product whose mails stay in its own mailbox. */
export async function cookieOf(url: string, email = "bench@example.com"): Promise<string> {
  const client = await signIn(url, email, async () => {
    const [mail] = await mailbox(url);
    return mail && codeIn(mail.text);
  });
  return client.cookie();
}

/** The session check before each navigation, 32 concurrently. */
export function askGuard(url: string, cookie: string, requests: number): Promise<Sample> {
  return load({ callers: CALLERS, requests }, async () => {
    const answer = await fetch(`${url}/api/check-user-authentication/`, { headers: { Cookie: cookie } });
    const { auth_level: level } = (await answer.json()) as { auth_level?: string };
    if (level !== "authenticated") throw new Error(`Not signed in: ${answer.status} ${level}`);
  });
}

/** The first page of the dashboard, 32 concurrently. */
export function askDashboard(url: string, cookie: string, requests: number): Promise<Sample> {
  return load({ callers: CALLERS, requests }, async () => {
    const answer = await fetch(`${url}/api/associations`, { headers: { Cookie: cookie } });
    const { items } = (await answer.json()) as { items?: unknown[] };
    if (!items?.length) throw new Error(`No addresses: ${answer.status}`);
  });
}
