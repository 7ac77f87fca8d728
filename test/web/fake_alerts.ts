import type { Alert, AlertDetails, Breach } from "../../web/api/api.ts";

export const ALICE = "alice.archer@example.com";
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** The given duration ago. */
export function ago(ms: number): string {
  return new Date(Date.now() - ms).toISOString();
}

/** The same for all, as from one check, so that the list keeps its order. */
const FOUND_AT = ago(5 * HOUR);

function alert(id: string, title: string, more: Partial<Breach>, state: Alert["state"] = "pending"): Alert {
  return {
    id,
    associationId: "a1",
    address: ALICE,
    state,
    baseline: true,
    version: 1,
    raisedAt: FOUND_AT,
    handledAt: state === "handled" ? ago(2 * HOUR) : null,
    reason: null,
    note: null,
    worsenedAt: null,
    changedSince: null,
    sources: ["hibp"],
    steps: [],
    foundUnder: [],
    breach: {
      name: title.replaceAll(/\W/g, ""),
      title,
      domain: `${title.toLowerCase().replaceAll(/\W/g, "")}.example`,
      breachDate: "2024-03-12",
      addedDate: "2024-04-02T07:15:00Z",
      dataClasses: ["Email addresses", "Passwords"],
      flags: [],
      pwnCount: 1_234_567,
      passwordStorage: "unknown",
      manyServices: more.domain === "",
      logo: null,
      ...more,
    },
  };
}

const MANY = ["Dates of birth", "Email addresses", "Genders", "IP addresses", "Names", "Passwords", "Phone numbers"];

/** Additional data in the drawer for some of them. */
export function details(): Record<string, Partial<AlertDetails>> {
  const same = { addedFlags: [], removedFlags: [], removedClasses: [], known: null, title: null, retired: null };
  return {
    b1: {
      description:
        'In January 2021, <a href="https://northwind.example/notice" target="_blank" rel="noopener noreferrer nofollow">Northwind Cinemas</a> suffered a data breach that exposed <em>1.2 million</em> customer records.',
      disclosureUrl: "https://northwind.example/notice",
      service: {
        domain: "northwindcinemas.example",
        changePassword: "https://northwindcinemas.example/.well-known/change-password",
        deletion: {
          difficulty: "hard",
          url: "https://northwindcinemas.example/privacy",
          email: "privacy@northwindcinemas.example",
          asOf: "2026-08-21",
        },
        secondStep: { kinds: ["totp", "sms"], url: "https://help.northwindcinemas.example/2fa", asOf: "2026-08-04" },
        passkeys: { signsIn: true, url: null, asOf: "2026-08-04" },
      },
      changes: [
        {
          ...same,
          at: "2026-03-03T09:00:00Z",
          addedClasses: ["Passwords", "Phone numbers"],
          worse: true,
          removedFlags: ["unverified"],
          count: { from: 900_000, to: 1_234_567 },
          happened: null,
        },
        {
          ...same,
          at: "2025-08-14T09:00:00Z",
          addedClasses: [],
          worse: false,
          count: null,
          addedFlags: ["sensitive"],
          happened: { from: "2021-01-01", to: "2021-01-05" },
        },
      ],
    },
    b3: { description: "Lists that malicious software collected on people's devices, spread through Telegram." },
  };
}

/** Alerts of every kind. */
export function alerts(): Alert[] {
  return [
    alert("b1", "Northwind Cinemas", { dataClasses: MANY, breachDate: "2021-01-05" }),
    alert("b2", "Combolists Posted to Telegram", {
      dataClasses: ["Email addresses", "Passwords"],
      flags: ["unverified"],
    }),
    alert("b3", "Stealer Logs, Jan 2025", { flags: ["stealerLog", "malware"], domain: "" }),
    {
      ...alert("b4", "Contoso", { dataClasses: ["Email addresses", "Credit cards", "Purchases"] }),
      foundUnder: [
        { address: "alice.archer+contoso@example.com", namesService: true },
        { address: ALICE, namesService: false },
      ],
    },
    alert("b5", "Ünïcode Söciety", { dataClasses: ["Email addresses"] }, "handled"),
    alert(
      "b6",
      "99 Bottles",
      { dataClasses: ["Usernames", "Email addresses", "Passwords"], flags: ["spamList"] },
      "handled",
    ),
  ];
}
