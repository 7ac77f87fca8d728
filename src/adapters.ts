import { hostname } from "node:os";
import { join } from "node:path";
import type { Adapters } from "./adapter_types.ts";
import { migrationsIn } from "./backup/schema.ts";
import { postgresBilling } from "./billing/adapters/postgres/store.ts";
import { sandboxPayments } from "./billing/adapters/sandbox/sandbox.ts";
import { sandboxFile } from "./billing/adapters/sandbox/sandbox_state.ts";
import { postgresBreaches, postgresRateBudget } from "./breaches/adapters/postgres/store.ts";
import { changePasswordPages } from "./breaches/adapters/services/change_password_pages.ts";
import { bundledDirectories, bundledLetterDirectories } from "./breaches/adapters/services/directories.ts";
import { bundledFeed, EXAMPLE_ADDRESSES, STATE_FILE } from "./breaches/adapters/sources/bundled/bundled.ts";
import { countedBudget } from "./breaches/adapters/sources/counted_budget.ts";
import { datasetFeed } from "./breaches/adapters/sources/dataset/dataset.ts";
import { IMPORTS, importFiles } from "./breaches/adapters/sources/dataset/import_files.ts";
import { hibpFeed } from "./breaches/adapters/sources/hibp/hibp.ts";
import { descriptionsWhenAsked } from "./breaches/adapters/sources/lazy_sanitizer.ts";
import { httpLogos } from "./breaches/adapters/sources/logos_http.ts";
import { xposedOrNotFeed } from "./breaches/adapters/sources/xposedornot/xposedornot.ts";
import type { BreachFeed } from "./breaches/ports.ts";
import type { Config } from "./config/config.ts";
import type { MailConfig } from "./config/mail_config.ts";
import type { ProviderConfig } from "./config/provider_config.ts";
import type { SourceConfig } from "./config/source_config.ts";
import { isDiskFull } from "./database/full_disk.ts";
import { isMigratedTo, requireWritable } from "./database/migration_status.ts";
import { MIGRATIONS, type openDatabase } from "./database/open.ts";
import { type Database, databaseSize, type PostgresDatabase, postgresDatabase } from "./database/postgres.ts";
import { postgresDomains } from "./domains/adapters/postgres/store.ts";
import { domainProofs } from "./domains/adapters/proof/domain_proofs.ts";
import { postgresEvents, postgresOutbox } from "./events/adapters/postgres/outbox.ts";
import { postgresIdentity } from "./identity/adapters/postgres/store.ts";
import { hotpCodes } from "./identity/adapters/secrets/authenticator_codes.ts";
import { commonPasswords } from "./identity/adapters/secrets/common_passwords.ts";
import { webauthnPasskeys } from "./identity/adapters/secrets/passkeys_webauthn.ts";
import { passwordHasher } from "./identity/adapters/secrets/password_hasher.ts";
import { pwnedPasswords } from "./identity/adapters/secrets/pwned_passwords.ts";
import { randomCode, randomRecoveryCode } from "./identity/adapters/secrets/random_code.ts";
import { postgresInvitations } from "./invitations/adapters/postgres/store.ts";
import { mailboxSender } from "./notifications/adapters/channels/inbox/mailbox.ts";
import { pushKeys } from "./notifications/adapters/channels/webpush/push_keys.ts";
import { postgresNotifications } from "./notifications/adapters/postgres/store.ts";
import { intlTranslate } from "./notifications/adapters/translate.ts";
import { bounceToken } from "./notifications/contacts/bounces.ts";
import { pacing } from "./notifications/delivery/pacing.ts";
import { postgresOperations } from "./operations/adapters/postgres/store.ts";
import { splunkSink } from "./operations/adapters/sinks/splunk.ts";
import { syslogSink } from "./operations/adapters/sinks/syslog.ts";
import { backupsOf, erasuresOf } from "./runtime/backups.ts";
import { channelSenders, type PaceOf, telegramOf, withStandIns } from "./runtime/channel_senders.ts";
import { hashToken, keysOf, newToken } from "./runtime/crypto.ts";
import { describeError, type Log } from "./runtime/log.ts";
import { openMigrated } from "./runtime/migrated_database.ts";
import { secretOfData } from "./runtime/secret.ts";
import { PRODUCT, VERSION } from "./shared/product.ts";
import type { Mac } from "./shared/secrets.ts";
import { postgresSupport } from "./support/adapters/postgres/store.ts";
import { type Health, unwatched } from "./telemetry/health.ts";
import { readiness } from "./telemetry/probes.ts";
import { followed } from "./telemetry/telemetry.ts";
import { postgresTracking } from "./tracking/adapters/postgres/store.ts";
import { aliasServices } from "./tracking/adapters/services/alias_services.ts";

export type Backups = ReturnType<typeof backupsOf>;

const ROOT = join(import.meta.dirname, "..");

type SmtpAround = { mac: Mac; hostName: string; now: () => Date; paceOf: PaceOf };

async function openSmtp(mail: Extract<MailConfig, { kind: "smtp" }>, { mac, paceOf, ...around }: SmtpAround) {
  const { url, from, perSecond, connections, bounces } = mail;
  const { smtpSender } = await import("./notifications/adapters/channels/email/email.ts");
  const bounceAddress = (id: string) => `bounce+${bounceToken(mac, id)}@${bounces?.domain}`;
  return smtpSender({
    url,
    from,
    connections,
    rate: perSecond === undefined ? undefined : { perSecond, pace: paceOf("email", perSecond) },
    bounceAddress: bounces && bounceAddress,
    ...around,
  });
}

function mailboxDirectory(dataDir: string): string {
  return join(dataDir, "mailbox");
}

/** The destinations of the operator's events. */
function eventSinks({ events, publicUrl }: Config, telemetry: Health["telemetry"]) {
  const hostName = new URL(publicUrl).hostname;
  return [
    ...(events.syslog ? [syslogSink({ ...events.syslog, hostName })] : []),
    ...(events.splunk ? [splunkSink({ ...events.splunk, hostName, channel: Bun.randomUUIDv7() })] : []),
  ].map((sink) => followed(telemetry, `events ${sink.name}`, sink));
}

type Around = Pick<Health, "telemetry" | "isStopping" | "metrics"> & {
  /** A database that is open already. */
  connection?: ReturnType<typeof openDatabase>;
  hasPages?: boolean;
};

/** Chooses the adapter of each port; those not chosen are not loaded. `close` closes what was opened, in reverse order. */
export async function liveAdapters(
  config: Config,
  log: Log,
  { telemetry, isStopping, metrics, connection: opening = openMigrated(config), hasPages = true }: Around = unwatched,
): Promise<{ adapters: Adapters; backups: Backups; database: PostgresDatabase; close(): Promise<void> }> {
  const connection = await opening;
  const database = await postgresDatabase(
    {
      ...connection,
      transaction: (work) => telemetry.transaction(() => connection.transaction(work)),
    },
    postgresEvents,
  );
  const { now } = database;
  const notificationTransaction = database.transactionOf(postgresNotifications);
  const paceOf: PaceOf = (channel, perSecond) =>
    pacing({ transaction: notificationTransaction, now, sleep: Bun.sleep }, channel, perSecond);
  const breachTransaction = database.transactionOf(postgresBreaches);
  const plain = database.transactionOf((tx: Database) => tx);
  const keys = keysOf(await secretOfData(config, plain));

  const backups = backupsOf(config, connection);
  const settled = await backups.settleCopy(false);
  if (settled)
    log.warn(
      "This database is older than erasures.txt, probably after a restore: deletions and withdrawals made since then were repeated",
      {
        ...settled.endedAgain,
        held: settled.held + settled.announcementsHeld,
        release: "breachbell deliveries release --reason operator",
      },
    );
  const head = migrationsIn(MIGRATIONS).at(-1)?.at ?? 0;
  const budget = countedBudget(postgresRateBudget(plain, now), now);
  const userAgent = `${PRODUCT}/${VERSION} (+${config.publicUrl})`;
  const feedOf = (source: SourceConfig): BreachFeed => {
    switch (source.kind) {
      case "bundled":
        return bundledFeed({ stateFile: join(config.dataDir, STATE_FILE) });
      case "hibp": {
        const { baseUrl, apiKey, pollEveryMs } = source;
        return { ...hibpFeed({ baseUrl, apiKey, budget, userAgent, now }), pollEveryMs };
      }
      case "xposedornot":
        return xposedOrNotFeed({ baseUrl: source.baseUrl, apiKey: source.apiKey, budget, userAgent, now });
      case "dataset":
        return datasetFeed(breachTransaction, now);
    }
  };
  const report = (error: unknown, context: Record<string, unknown>) =>
    log.error("An operation failed and will be retried", { ...context, ...describeError(error) });
  const followedFeed = (source: SourceConfig): BreachFeed => {
    const { traces, domains, ...feed } = feedOf(source);
    const peer = `source ${source.kind}`;
    return followed(telemetry, peer, {
      ...feed,
      ...(traces && { traces: followed(telemetry, peer, traces) }),
      ...(domains && { domains: followed(telemetry, peer, domains) }),
    });
  };
  const feeds = config.sources.map(followedFeed);
  const translate = intlTranslate();
  const sandbox = sandboxPayments({
    memory: sandboxFile(join(config.dataDir, "sandbox_payments.json")),
    publicUrl: config.publicUrl,
    mac: keys.mac,
    newToken,
    now,
  });
  const onPaymentTrouble = (reason: string) => log.warn("The payment provider could not be used", { reason });
  async function stripe(settings: NonNullable<Config["stripe"]>) {
    const { stripePayments } = await import("./billing/adapters/stripe/stripe.ts");
    const deps = { ...settings, publicUrl: config.publicUrl, now, onTrouble: onPaymentTrouble };
    return followed(telemetry, "stripe", stripePayments(deps));
  }
  async function provider(settings: ProviderConfig) {
    const { name } = settings;
    const around = {
      redirectUri: `${config.publicUrl}/sign-in/${name}`,
      loggedOutUri: `${config.publicUrl}/login`,
      onTrouble: (reason: string) => log.warn("Signing in by a provider failed", { provider: name, reason }),
    };
    const opened =
      settings.kind === "github"
        ? (await import("./identity/adapters/providers/github_provider.ts")).githubProvider({ ...settings, ...around })
        : (await import("./identity/adapters/providers/oidc_provider.ts")).oidcProvider({ ...settings, ...around });
    return followed(telemetry, `provider ${name}`, opened);
  }
  const mailbox = config.mail.kind === "mailbox" ? mailboxDirectory(config.dataDir) : undefined;
  const smtp =
    config.mail.kind === "smtp"
      ? await openSmtp(config.mail, { mac: keys.mac, hostName: new URL(config.publicUrl).hostname, now, paceOf })
      : undefined;
  const email = smtp ?? mailboxSender({ directory: mailboxDirectory(config.dataDir), from: config.mail.from });

  const inbox = withStandIns(config, now);
  const telegramBot = telegramOf(
    { ...config, channels: inbox.channels },
    { mac: keys.mac, translate, now, report, paceOf, proxy: config.outboundProxy },
  );

  const push = {
    keys: pushKeys({ transaction: notificationTransaction, cipher: keys.cipher }),
    contact: `mailto:${config.operator.supportEmail}`,
    publicUrl: config.publicUrl,
    mac: keys.mac,
    translate,
  };

  const adapters: Adapters = {
    transactions: {
      identity: database.transactionOf(postgresIdentity),
      tracking: database.transactionOf(postgresTracking),
      invitations: database.transactionOf(postgresInvitations),
      breaches: breachTransaction,
      billing: database.transactionOf(postgresBilling),
      notifications: notificationTransaction,
      operations: database.transactionOf(postgresOperations),
      support: database.transactionOf(postgresSupport),
      domains: database.transactionOf(postgresDomains),
    },
    outbox: postgresOutbox(plain),
    backups: {
      runDue: backups.runDue,
      status: () => backups.status(plain),
      erasures: erasuresOf(config, plain, { mac: keys.mac, report }),
    },
    gateways: {
      feeds,
      imports: config.sources.some(({ kind }) => kind === "dataset")
        ? importFiles(join(config.dataDir, IMPORTS))
        : undefined,
      descriptions: descriptionsWhenAsked(),
      logos:
        config.logosUrl === undefined
          ? undefined
          : followed(telemetry, "logos", httpLogos({ baseUrl: config.logosUrl, budget, userAgent, now })),
      directories: bundledDirectories(),
      letterDirectories: bundledLetterDirectories(),
      aliasDirectory: followed(
        telemetry,
        "alias services",
        aliasServices({
          bases: config.aliasServices,
          userAgent,
          allowPrivate: false,
          proxy: config.outboundProxy,
        }),
      ),
      changePasswordPages: config.servicePages
        ? followed(
            telemetry,
            "service pages",
            changePasswordPages({ userAgent, allowPrivate: false, proxy: config.outboundProxy }),
          )
        : undefined,
      senders: Object.fromEntries(
        Object.entries({
          email,
          ...channelSenders(inbox.channels, { userAgent, now, report, proxy: config.outboundProxy, push }),
          ...(telegramBot && { telegram: telegramBot.sender }),
        }).map(([channel, sender]) => [channel, followed(telemetry, `channel ${channel}`, sender)]),
      ),
      telegramBot: telegramBot?.bot,
      passwords: passwordHasher(),
      commonPasswords: commonPasswords(),
      breachedPasswords:
        config.pwnedPasswordsUrl === undefined
          ? undefined
          : followed(
              telemetry,
              "pwned passwords",
              pwnedPasswords({ baseUrl: config.pwnedPasswordsUrl, userAgent, warn: log.warn }),
            ),
      providers: await Promise.all(config.providers.map(provider)),
      oneTimePasswords: hotpCodes(),
      passkeyCeremonies: webauthnPasskeys(config.publicUrl),
      payments: config.stripe ? await stripe(config.stripe) : sandbox,
      translate,
      sinks: eventSinks(config, telemetry),
      domainProofs: followed(
        telemetry,
        "domain proofs",
        domainProofs({ userAgent, allowPrivate: false, proxy: config.outboundProxy }),
      ),
    },
    health: {
      telemetry,
      isStopping,
      metrics,
      log,
      unready: readiness({
        isStopping,
        isFull: () => database.isFull() || (config.database.kind === "embedded" && isDiskFull(config.dataDir)),
        isMigrated: () => plain((tx) => requireWritable(tx).then(() => isMigratedTo(tx, head))),
      }),
    },
    system: {
      ...keys,
      now,
      newId: () => Bun.randomUUIDv7(),
      newToken,
      newCode: randomCode,
      newRecoveryCode: randomRecoveryCode,
      hashToken,
      random: Math.random,
      sleep: (ms) => Bun.sleep(ms),
      yieldToRequests: database.yieldToRequests,
      report,
      note: log.info,
      ping: database.ping,
      database: async () => ({ kind: config.database.kind, bytes: await plain(databaseSize) }),
      budgets: budget.uses,
      processName: `${hostname()} · ${process.pid}`,
    },
    exampleAddresses: feeds.some(({ demonstration }) => demonstration) ? Object.keys(EXAMPLE_ADDRESSES) : [],
    webDirectory: hasPages ? join(ROOT, "web/dist") : undefined,
    sandbox: config.billing === "sandbox" ? sandbox : undefined,
    mailboxDirectory: mailbox,
    standIns: inbox.standIns,
  };
  async function close(): Promise<void> {
    await inbox.close();
    await smtp?.close();
    await connection.close();
  }
  return { adapters, backups, database, close };
}
