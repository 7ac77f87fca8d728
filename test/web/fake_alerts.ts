import type { Alert, Breach } from "../../web/api.ts";

export const ALICE = "alice.archer@example.com";
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** An instant so long before now. */
export function ago(ms: number): string {
  return new Date(Date.now() - ms).toISOString();
}

function alert(id: string, title: string, more: Partial<Breach>, state: Alert["state"] = "pending"): Alert {
  return {
    ...{ id, associationId: "a1", address: ALICE, state, baseline: true, version: 1 },
    raisedAt: ago(5 * HOUR),
    handledAt: state === "handled" ? ago(2 * HOUR) : null,
    sources: ["hibp"],
    breach: {
      name: title.replaceAll(/\W/g, ""),
      title,
      domain: `${title.toLowerCase().replaceAll(/\W/g, "")}.example`,
      breachDate: "2024-03-12",
      addedDate: "2024-04-02T07:15:00Z",
      dataClasses: ["Email addresses", "Passwords"],
      flags: [],
      pwnCount: 1_234_567,
      ...more,
    },
  };
}

const MANY = ["Dates of birth", "Email addresses", "Genders", "IP addresses", "Names", "Passwords", "Phone numbers"];

/** Alerts of every sort. */
export function alerts(): Alert[] {
  return [
    alert("b1", "Northwind Cinemas", { dataClasses: MANY, breachDate: "2021-01-05" }),
    alert("b2", "Combolists Posted to Telegram", {
      dataClasses: ["Email addresses", "Passwords"],
      flags: ["unverified"],
    }),
    alert("b3", "Stealer Logs, Jan 2025", { flags: ["stealerLog", "malware"], domain: "" }),
    alert("b4", "Contoso", { dataClasses: ["Email addresses", "Credit cards", "Purchases"] }),
    alert("b5", "Ünïcode Söciety", { dataClasses: ["Email addresses"] }, "handled"),
    alert(
      "b6",
      "99 Bottles",
      { dataClasses: ["Usernames", "Email addresses", "Passwords"], flags: ["spamList"] },
      "handled",
    ),
  ];
}
