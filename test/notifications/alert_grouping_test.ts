import { describe, expect, test } from "bun:test";
import type { BreachFacts } from "../../src/shared/breach.ts";
import type { ContactAddress } from "../../src/shared/contacts.ts";
import { memorySender } from "../memory/notifications/store.ts";
import { adobe, email, HOUR, MINUTE, postOffice } from "./post_office.ts";

const OWN = "alice@breachbell.example";
const mild = (name: string): BreachFacts => ({
  ...adobe,
  name,
  title: name,
  domain: `${name.toLowerCase()}.example`,
  dataClasses: ["Email addresses"],
  passwordStorage: null,
});
const grave: BreachFacts = { ...adobe, name: "Grave", title: "Grave", dataClasses: ["Mnemonic phrases"] };

/** Alice tracks her home and her work address, with alerts for both sent to `contacts`. */
function house(contacts: ContactAddress[] = [email(OWN)]) {
  const webhook = memorySender("webhook");
  const post = postOffice();
  Object.assign(post.deps.senders, { webhook });
  for (const place of ["home", "work"]) post.watch(place, `alice@${place}.example`, contacts);
  return {
    ...post,
    webhook,
    raise: (...alerts: [id: string, place: string, breach: BreachFacts | null][]) =>
      post.onAlertsRaised({ type: "breaches.alertsRaised", alerts: alerts.map((alert) => post.found(...alert)) }),
    said: () => post.sender.sent.map(({ content }) => JSON.stringify(content)),
    fates: async (id: string) => {
      const rows = await post.listAlertDeliveries("alice", id);
      return rows.ok ? rows.value.items.map(({ state, kind }) => `${kind} ${state}`) : [];
    },
  };
}

describe("Several alerts raised at the same time", () => {
  test("become one message per person with everything that each would have said, most severe first", async () => {
    const post = house();
    await post.raise(["a1", "home", mild("Alpha")], ["a2", "work", grave], ["a3", "home", null]);
    await post.deliverDue();
    const [whole = "", ...more] = post.said();
    expect(more).toEqual([]);
    for (const part of ["3 new data breaches", "alice@home.example", "alice@work.example", "What to do now"])
      expect(whole).toContain(part);
    expect(whole.indexOf("Grave")).toBeGreaterThan(0);
    expect(whole.indexOf("Alpha")).toBeGreaterThan(whole.indexOf("Grave"));
    expect(post.sender.sent[0]?.urgency).toBe("critical");
    for (const id of ["a1", "a2", "a3"]) expect(await post.fates(id)).toEqual(["alerts accepted"]);
  });

  test("are sent once when an event is repeated", async () => {
    const post = house();
    const alerts = [post.found("a1", "home", mild("Alpha")), post.found("a2", "work", grave)];
    for (let turn = 0; turn < 3; turn++) {
      await post.onAlertsRaised({ type: "breaches.alertsRaised", alerts });
      await post.deliverDue();
    }
    expect(post.sender.sent).toHaveLength(1);
  });

  test("are sent immediately as separate messages if there is only one per person", async () => {
    const post = house();
    await post.raise(["a1", "home", mild("Alpha")]);
    await post.raise(["a2", "home", grave]);
    await post.deliverDue();
    expect(post.sender.sent).toHaveLength(2);
  });

  test("are split when one message cannot contain them all", async () => {
    const post = house();
    const many = Array.from({ length: 150 }, (_, n): [string, string, BreachFacts] => [`a${n}`, "home", mild(`N${n}`)]);
    await post.raise(...many);
    await post.deliverDue();
    expect(post.sender.sent.map(({ content }) => content.subject)).toEqual([
      "100 new data breaches found",
      "50 new data breaches found",
    ]);
  });

  test("bypass quiet hours if one of them is critical, and wait for their end otherwise", async () => {
    const post = house();
    await post.raise(["a0", "home", mild("First")]);
    await post.deliverDue();
    const listed = await post.listContacts("alice");
    const id = (listed.ok && listed.value.items[0]?.id) || "";
    await post.saveContactSettings("alice", id, {
      discreet: false,
      language: null,
      digestBelow: null,
      digestHour: null,
      device: null,
      emergency: false,
      quiet: { from: "07:00", to: "10:00" },
      zone: "UTC",
    });
    await post.raise(["a1", "home", mild("Alpha")], ["a2", "work", mild("Beta")]);
    await post.deliverDue();
    expect(post.sender.sent).toHaveLength(1);
    await post.raise(["a3", "home", mild("Gamma")], ["a4", "work", grave]);
    await post.deliverDue();
    expect(post.sender.sent).toHaveLength(2);
    post.advance(2 * HOUR);
    await post.gatherDue();
    await post.deliverDue();
    expect(post.sender.sent).toHaveLength(3);
    expect(post.said()[2]).toContain("Alpha");
    expect(post.said()[2]).toContain("Beta");
  });

  test("are separate messages for contacts with a daily digest by severity, and for webhooks", async () => {
    const hook: ContactAddress = { channel: "webhook", value: "https://hook.example/breaches" };
    const post = house([email(OWN), hook]);
    await post.raise(["a0", "home", mild("First")]);
    const before = await post.listContacts("alice");
    const items = before.ok ? before.value.items : [];
    const idOf = (channel: string) => items.find((item) => item.channel === channel)?.id ?? "";
    await post.saveContactSettings("alice", idOf("email"), {
      discreet: false,
      language: null,
      digestBelow: "critical",
      digestHour: 18,
      device: null,
      emergency: false,
      quiet: null,
      zone: null,
    });
    await post.deliverDue();
    await post.raise(["a1", "home", mild("Alpha")], ["a2", "work", grave]);
    await post.deliverDue();
    expect(post.sender.sent).toHaveLength(1);
    expect(post.said()[0]).toContain("Grave");
    const toHook = (await post.ledger()).filter(({ recipient, about }) => {
      return recipient.channel === "webhook" && about.kind === "alert";
    });
    expect(toHook.map(({ reason }) => reason)).not.toContain("gathered");
    expect(toHook).toHaveLength(3);
  });

  test("are grouped by what is left of them when they are sent: a single one as itself", async () => {
    const post = house();
    await post.raise(["a1", "home", mild("Alpha")], ["a2", "work", grave]);
    post.facts.delete("a2");
    await post.deliverDue();
    expect(post.sender.sent.map(({ content }) => content.subject)).toEqual(["Data breach: Alpha"]);
    expect(await post.fates("a1")).toEqual(["alerts accepted"]);
  });

  test("go together to the account's own address when somebody's last contact refuses them", async () => {
    const post = house([email("gone@elsewhere.example")]);
    await post.raise(["a0", "home", mild("First")]);
    await post.deliverDue();
    await post.confirm(post.linkToken("gone@elsewhere.example"));
    await post.deliverDue();
    post.sender.sent.length = 0;
    post.sender.answer({ kind: "dead", cause: "recipient", reason: "no such mailbox", forGood: true });
    await post.raise(["a1", "home", mild("Alpha")], ["a2", "work", grave]);
    await post.deliverDue();
    post.advance(MINUTE);
    await post.deliverDue();
    const own = post.sender.sent.filter(({ to }) => to.value === OWN);
    expect(own).toHaveLength(1);
    expect(own[0]?.content.subject).toBe("2 new data breaches found");
  });
});
