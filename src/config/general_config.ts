import * as v from "valibot";
import { isOrigin, outsidePage, port, url } from "./config_values.ts";
import { LOG_LEVELS } from "./log_level.ts";
import { proxies } from "./proxy_config.ts";
import type { WordsOf } from "./setting_words.ts";

/** Settings of every installation: URL, database, operator. */
export const generalEntries = {
  NODE_ENV: v.optional(v.string()),
  HOST: v.optional(v.string(), "127.0.0.1"),
  PORT: v.optional(port, "3000"),
  PUBLIC_URL: v.optional(
    v.pipe(
      v.string(),
      v.check(isOrigin, "must be an http or https address without a path, such as https://breachbell.example"),
    ),
  ),
  INSECURE_HTTP: v.optional(v.picklist(["allow"], 'must be "allow" or absent')),
  TRUST_PROXY: v.optional(proxies, ""),
  DATA_DIR: v.optional(v.string(), "data"),
  DATABASE_URL: v.optional(
    v.union(
      [v.literal("embedded"), url(["postgres:", "postgresql:"], "")],
      'must be a postgres:// address or "embedded"',
    ),
  ),
  APP_SECRET: v.optional(v.pipe(v.string(), v.minLength(32, "must have at least 32 characters"))),
  SESSION_PROFILE: v.optional(v.picklist(["default", "strict"], 'must be "default" or "strict"'), "default"),
  OPERATOR_NAME: v.optional(v.string(), "Breachbell"),
  OPERATOR_CANTON: v.optional(v.string(), "Zürich"),
  SUPPORT_EMAIL: v.optional(v.pipe(v.string(), v.email("must be an email address")), "support@localhost.localdomain"),
  STATUS_PAGE_URL: v.optional(outsidePage),
  LOG_LEVEL: v.optional(v.picklist(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(", ")}`), "info"),
};

/** Descriptions of the settings for the generated table. */
export const generalWords: WordsOf<typeof generalEntries> = {
  NODE_ENV: { says: "`production`: each embedded default has to be replaced or chosen by name" },
  HOST: { says: "where to listen" },
  PORT: { says: "the port of the website" },
  PUBLIC_URL: {
    says: "the address people open; links are built from it alone; https, except on this machine",
    standard: "`http://localhost:PORT`",
    required: "in production",
  },
  INSECURE_HTTP: { says: "`allow` lets `PUBLIC_URL` be plain http elsewhere than on this machine" },
  TRUST_PROXY: { says: "proxies whose `X-Forwarded-For` counts: IP addresses, CIDR ranges, `loopback`" },
  DATA_DIR: { says: "embedded database, generated secret, local mailbox" },
  DATABASE_URL: { says: "`postgres://…`, or `embedded`", standard: "`embedded`", required: "in production" },
  APP_SECRET: {
    says: "what keys for sealing and signing are made from: at least 32 characters, the same for every process on one database",
    standard: "generated in `DATA_DIR`",
    required: "in production, with a database server",
  },
  SESSION_PROFILE: {
    says: "how long a sign-in lasts: `default` a day without use and a week at most, `strict` an hour and a day (NIST AAL2)",
  },
  OPERATOR_NAME: { says: "who runs this, for the terms" },
  OPERATOR_CANTON: { says: "where, for the place of jurisdiction" },
  SUPPORT_EMAIL: {
    says: "where people reach you; also in `/.well-known/security.txt`, for who finds a weakness",
    required: "in production",
  },
  STATUS_PAGE_URL: {
    says: "an https address that the sidebar’s *Service Status* leads to instead",
    standard: "the own page `/service-status`",
  },
  LOG_LEVEL: {
    says: "`debug`, `info`, `warn`, `error`; lines of JSON, one for each request at `info` (files, probes and what pages ask by themselves at `debug`), each with the request’s id or the job’s name",
  },
};

export const GENERAL_SECRETS = ["DATABASE_URL", "APP_SECRET"] as const;
