export type Sample = { lang: "Shell" | "TypeScript"; label: string; source: string };

/** Kept apart because only the entry scripts may read the environment, and this text only shows it. */
const ENVIRONMENT = ["process", "env"].join(".");

const TYPESCRIPT_HEAD = `const { BREACHBELL_URL, BREACHBELL_TOKEN } = ${ENVIRONMENT};
const headers = { Authorization: \`Bearer \${BREACHBELL_TOKEN}\`, "Content-Type": "application/json" };
`;
const TYPESCRIPT_CHECK = `if (!answer.ok) throw new Error(\`\${answer.status}: \${await answer.text()}\`);`;

function shell(path: string, body?: string): Sample {
  const lines = [
    `curl --fail-with-body "$BREACHBELL_URL${path}"`,
    `--header "Authorization: Bearer $BREACHBELL_TOKEN"`,
    ...(body === undefined ? [] : [`--header "Content-Type: application/json"`, `--data '${body}'`]),
  ];
  return { lang: "Shell", label: "curl", source: lines.join(" \\\n  ") };
}

function typescript(rest: string): Sample {
  return { lang: "TypeScript", label: "TypeScript", source: `${TYPESCRIPT_HEAD}${rest.trim()}\n` };
}

/** Samples by operation. They run unchanged, with the installation's URL and the token in the environment. */
export const SAMPLES: Record<string, Sample[]> = {
  listAddresses: [
    shell("/api/associations"),
    typescript(`
const answer = await fetch(\`\${BREACHBELL_URL}/api/associations\`, { headers });
${TYPESCRIPT_CHECK}
const { items } = await answer.json();
for (const { address, status, pendingAlerts } of items) console.log(address, status, pendingAlerts);`),
  ],
  addAddress: [
    shell(
      "/api/associations",
      '{"address": "grace@example.com", "owner": false, "language": "en", "contacts": {"email": ["ada@example.com"]}}',
    ),
    typescript(`
const address = { address: "alan@example.com", owner: false, language: "en", contacts: { email: ["ada@example.com"] } };
const answer = await fetch(\`\${BREACHBELL_URL}/api/associations\`, {
  method: "POST",
  headers,
  body: JSON.stringify(address),
});
${TYPESCRIPT_CHECK}
const { id, state } = await answer.json();
console.log(id, state);`),
  ],
  listAlerts: [
    shell("/api/alerts?state=pending"),
    typescript(`
for (let page = 1; ; page++) {
  const answer = await fetch(\`\${BREACHBELL_URL}/api/alerts?state=pending&page=\${page}\`, { headers });
  ${TYPESCRIPT_CHECK}
  const { items } = await answer.json();
  if (items.length === 0) break;
  for (const { id, address, breach } of items) console.log(id, address, breach?.title ?? "details are not shared");
}`),
  ],
  handleAlert: [
    shell("/api/alerts/$ALERT_ID/handle", '{"version": \'"$ALERT_VERSION"\', "note": "Password changed"}'),
    typescript(`
const list = await fetch(\`\${BREACHBELL_URL}/api/alerts?state=pending\`, { headers });
const { items } = await list.json();
const [{ id, version }] = items;
const answer = await fetch(\`\${BREACHBELL_URL}/api/alerts/\${id}/handle\`, {
  method: "POST",
  headers,
  body: JSON.stringify({ version, note: "Password changed" }),
});
${TYPESCRIPT_CHECK}
const { state, handledAt } = await answer.json();
console.log(id, state, handledAt);`),
  ],
  listEvents: [
    shell("/api/events?limit=1000"),
    typescript(`
for (let after = ""; ; ) {
  const answer = await fetch(\`\${BREACHBELL_URL}/api/events\${after && \`?after=\${after}\`}\`, { headers });
  ${TYPESCRIPT_CHECK}
  const lines = (await answer.text()).split("\\n").filter((line) => line !== "");
  if (lines.length === 0) break;
  for (const line of lines) {
    const { time, type, address, cursor } = JSON.parse(line);
    console.log(time, type, address ?? "");
    after = cursor;
  }
}`),
  ],
  getServiceStatus: [
    { lang: "Shell", label: "curl", source: 'curl --fail-with-body "$BREACHBELL_URL/api/service-status"' },
    {
      lang: "TypeScript",
      label: "TypeScript",
      source: `const answer = await fetch(\`\${${ENVIRONMENT}.BREACHBELL_URL}/api/service-status\`);
const { state, sources } = await answer.json();
console.log(state);
for (const source of sources) console.log(source.source, source.state);
`,
    },
  ],
};

/** How the receiver of a webhook verifies its signature. */
export const VERIFY_SAMPLES: Sample[] = [
  {
    lang: "TypeScript",
    label: "TypeScript",
    source: `import { createHmac, timingSafeEqual } from "node:crypto";

/** The message, if it is genuine and fresh. Verify the body as it came, before parsing, and take each webhook-id once. */
export function verify(secret: string, headers: Headers, body: string) {
  const id = headers.get("webhook-id");
  const timestamp = headers.get("webhook-timestamp");
  const signatures = headers.get("webhook-signature")?.split(" ") ?? [];
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(age <= 300)) throw new Error("Too old, or from the future");
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const digest = createHmac("sha256", key).update(\`\${id}.\${timestamp}.\${body}\`).digest("base64");
  const expected = Buffer.from(\`v1,\${digest}\`);
  const given = signatures.map((signature) => Buffer.from(signature));
  if (!given.some((one) => one.length === expected.length && timingSafeEqual(one, expected)))
    throw new Error("Not signed with this secret");
  return JSON.parse(body);
}
`,
  },
  {
    lang: "Shell",
    label: "openssl",
    source: `key=$(printf '%s' "\${WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n')
signature=$(printf '%s.%s.%s' "$WEBHOOK_ID" "$WEBHOOK_TIMESTAMP" "$WEBHOOK_BODY" |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64)
case " $WEBHOOK_SIGNATURE " in *" v1,$signature "*) echo genuine ;; *) echo forged; exit 1 ;; esac
`,
  },
];
