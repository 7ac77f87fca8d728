import postgres from "postgres";
import { codeIn, mailbox, signIn } from "../e2e/api.ts";
import { removeDirectory, startProduct } from "../e2e/product.ts";
import { load, report, type Sample } from "./load.ts";

const EMAIL = "crowd@example.com";
const ASSOCIATIONS = 10_000;
const PER_PAGE = 25;
const LOAD = { callers: 16, requests: 300 };
const ROUNDS = 5;

/** 10,000 watched addresses of the one account, as tracking stores them. */
async function fill(sql: postgres.Sql): Promise<string> {
  const [account] = await sql<{ id: string }[]>`select id from identity.users where email = ${EMAIL}`;
  const accountId = account?.id ?? "";
  await sql`insert into tracking.association
    (id, account_id, address, owner, language, contacts, paused, suspended, open_alerts, open_version, created_at)
    select gen_random_uuid(), ${accountId}, 'person' || n || '@example.org', true, 'en',
      '[{"channel":"email","value":"crowd@example.com"}]', false, false, n % 4, 1,
      now() - n * interval '1 second'
    from generate_series(1, ${ASSOCIATIONS}) as n`;
  await sql`analyze tracking.association`;
  return accountId;
}

/** The dashboard of an account that watches 10,000 addresses, against the three queries that it needs at least. */
export async function dashboard(databaseUrl: string): Promise<void> {
  const product = await startProduct({ DATABASE_URL: databaseUrl, BILLING: "off" });
  const client = await signIn(product.url, EMAIL, async () => {
    const [mail] = await mailbox(product.url);
    return mail && codeIn(mail.text);
  });
  const sql = postgres(databaseUrl, { max: 4, onnotice: () => {} });
  const accountId = await fill(sql);
  const url = `${product.url}/api/associations?page=200`;
  const asked = () =>
    load(LOAD, async () => {
      const answer = await fetch(url, { headers: { Cookie: client.cookie() } });
      const { items, total } = (await answer.json()) as { items?: unknown[]; total?: number };
      if (items?.length !== PER_PAGE || total !== ASSOCIATIONS) throw new Error(`No page: ${answer.status}`);
    });
  const bare = () =>
    load(LOAD, async () => {
      const page = await sql`select * from tracking.association where account_id = ${accountId}
        order by created_at, id offset ${199 * PER_PAGE} limit ${PER_PAGE}`;
      await sql`select count(*) from tracking.association where account_id = ${accountId}`;
      await sql`select count(*) filter (where open_alerts > 0) from tracking.association where account_id = ${accountId}`;
      if (page.length !== PER_PAGE) throw new Error("No page");
    });
  await asked();
  await bare();
  const samples: { product: Sample; raw: Sample }[] = [];
  for (let i = 0; i < ROUNDS; i++) samples.push({ product: await asked(), raw: await bare() });
  await sql.end();
  await product.stop();
  removeDirectory(product.dataDir);
  report({ line: "dashboard", database: "postgres", associations: ASSOCIATIONS }, samples);
}
