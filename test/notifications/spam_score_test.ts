import { afterAll, expect, test } from "bun:test";
import { smtpSender } from "../../src/notifications/adapters/channels/email/email.ts";
import { FOR_CONTACTS } from "../../src/notifications/delivery/delivery.ts";
import type { About } from "../../src/notifications/ports.ts";
import { LANGUAGES } from "../../src/shared/language.ts";
import { startSmtpPeer } from "../support/smtp_peer.ts";
import { spamScores } from "../support/spamassassin.ts";
import { ADDRESS, everyMessage } from "./every_message.ts";
import { translate } from "./post_office.ts";
import { messageTo, SERVER } from "./sample_mail.ts";

const MOST = 0.5;

const peer = await startSmtpPeer();
const sender = smtpSender({ ...SERVER, url: peer.url });
afterAll(async () => {
  await sender.close();
  await peer.close();
});

/** Every mail as it leaves, by its name. */
async function everyMail(): Promise<Map<string, string>> {
  const mails = new Map<string, string>();
  for (const language of LANGUAGES)
    for (const [kind, messages] of Object.entries(everyMessage({ language, translate })))
      for (const [name, content] of Object.entries(messages)) {
        const isForContacts = FOR_CONTACTS.includes(kind as About["kind"]);
        const oneClickUrl = isForContacts ? { oneClickUrl: "https://breachbell.example/u/v1.x" } : {};
        // They go to others than the owner of the address, who keeps the details to themselves.
        const isForOthers = ["alertWithoutDetails", "worseWithoutDetails"].includes(name);
        const to = isForOthers ? "bob@else.example" : ADDRESS;
        await sender.send(messageTo(to, { content, ...oneClickUrl }));
        mails.set(`${language} ${kind} ${name}`, peer.received.pop()?.raw ?? "");
      }
  return mails;
}

test("no kind of mail in any language looks like spam to SpamAssassin, which knows one when it sees it", async () => {
  const mails = await everyMail();
  expect(mails.size).toBeGreaterThan(LANGUAGES.length * 50);
  // SpamAssassin's own test pattern.
  const spam = "XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X";
  const [known, ...scores] = await spamScores([`Subject: test\r\n\r\n${spam}\r\n`, ...mails.values()]);
  expect(known?.score).toBeGreaterThan(100);
  const suspicious = [...mails.keys()].flatMap((name, index) => {
    const { score = Number.NaN, rules = [] } = scores[index] ?? {};
    return score < MOST ? [] : [`${name}: ${score} ${rules.join(" ")}`];
  });
  expect(suspicious).toEqual([]);
}, 900_000);
