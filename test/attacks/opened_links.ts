import { nothingWaits } from "../e2e/product.ts";
import { atLeast, atMost, type Finding } from "../faults/bench.ts";
import type { ReceivedMail } from "../support/smtp_peer.ts";
import { inChromium, type Window } from "./chromium.ts";
import { changedSince, checksums } from "./http.ts";
import { mailTo, type Person, PUBLIC_URL, person, type Target, tracked } from "./target.ts";

const FRIEND = "friend-of-ada@example.org";
const WARD = "ward-of-ada@example.org";
const NEW = "new-ada@example.org";

/**
 * Every kind of mail with a link: consent, password reset, change of email, report, alert, and their unsubscribe links.
 */
async function mailed(target: Target): Promise<Person> {
  const ada = await person(target, "ada@example.com");
  const does = async (path: string, body: unknown) => {
    const { status, text, data } = await ada.call("POST", path, { body });
    if (status >= 300) throw new Error(`Cannot do ${path}: ${text}`);
    return data;
  };
  const { id: associationId } = await does("/api/associations", {
    ...tracked(ada.email, true, ada.email),
    contacts: { email: [ada.email, FRIEND] },
  });
  await mailTo(target, ada.email, /\/u\/|manage-contact#t=/);
  await does("/api/associations", tracked(WARD, false, ada.email));
  await mailTo(target, WARD, /manage-invitation#t=/);
  await mailTo(target, FRIEND, /manage-contact#t=/);
  await does("/api/forgot-password", { email: ada.email });
  await mailTo(target, ada.email, /reset-password#t=/);
  await does("/api/profile/email", { email: NEW });
  await mailTo(target, NEW, /confirm-email#t=/);
  await does("/api/fire-drill", { associationId });
  await mailTo(target, ada.email, /alerts\?alert=/);
  return ada;
}

/** All links to us in a mail's two bodies, and the one in its List-Unsubscribe header. */
function linksIn({ mail }: ReceivedMail): string[] {
  const header = mail.headers.find(({ key }) => key === "list-unsubscribe")?.value ?? "";
  const html = (mail.html ?? "").replaceAll("&amp;", "&");
  return `${mail.text}\n${html}\n${header}`.match(new RegExp(`${PUBLIC_URL}[^\\s"'<>)]+`, "g")) ?? [];
}

/** The kind of a link, without its token. */
const kindOf = (link: string): string => {
  const { pathname, search, hash } = new URL(link);
  const names = [...new URLSearchParams(search).keys(), ...(hash === "" ? [] : ["#t"])];
  return [pathname.replace(/^\/u\/.*/, "/u/:token"), ...names].join(" ");
};

async function openAll(links: string[], { page, open }: Window): Promise<string[]> {
  const missed: string[] = [];
  for (const link of links) {
    await open(link).catch((error) => missed.push(`${kindOf(link)}: ${error}`));
    if ((await page.locator("h1").count()) === 0) missed.push(`${kindOf(link)}: no heading`);
  }
  return missed;
}

/** S15 in a browser that opens mailed links and runs their scripts, as mail scanners do: without a click. */
export const openedLinks = (): Promise<Finding[]> =>
  inChromium(async ({ target, window }) => {
    const ada = await mailed(target);
    const url = target.products[0]?.url ?? "";
    await nothingWaits(url);
    const links = [...new Set(target.smtp.received.flatMap(linksIn))];
    const kinds = new Set(links.map(kindOf));
    const before = await checksums(target);
    const missed = [...(await openAll(links, await window())), ...(await openAll(links, await window(ada.cookies)))];
    await nothingWaits(url);
    for (const text of missed) console.error(`S15: not reached: ${text}`);
    return [
      atLeast("S15", `kinds of links in ${links.length} that are mailed`, kinds.size, 7),
      atMost("S15", "links whose page did not come", missed.length, 0),
      atMost(
        "S15",
        "tables of people changed by a stranger's and the person's own browser that open them all and click nothing",
        (await changedSince(target, before)).length,
        0,
      ),
    ];
  });
