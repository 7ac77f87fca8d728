import { join } from "node:path";
import { belongsTo, hasData, recordSecret } from "../backup/secret_of_data.ts";
import type { Config } from "../config/config.ts";
import type { Database } from "../database/postgres.ts";
import type { Transaction } from "../shared/transaction.ts";
import { keysOf, makeSecret, newToken, readSecret } from "./crypto.ts";

type Place = Pick<Config, "dataDir" | "secret">;

const pathOf = ({ dataDir }: Place) => join(dataDir, "secret.key");

/** How to bring a lost secret back. */
export function restoringSecret(place: Place): string {
  return place.secret.kind === "given"
    ? "set APP_SECRET to its former value"
    : `restore "${pathOf(place)}" from your copy, or set APP_SECRET to its content`;
}

/** The secret that is set or was generated, or undefined before the first start. */
export function knownSecret({ dataDir, secret }: Place): string | undefined {
  return secret.kind === "given" ? secret.value : readSecret(dataDir);
}

/** The secret that is set or was generated; makes none. */
export function existingSecret(place: Place): string {
  const secret = knownSecret(place);
  if (secret === undefined) throw new Error(`There is no secret in "${pathOf(place)}": ${restoringSecret(place)}`);
  return secret;
}

/** The secret of this data. Generates one only for an empty database, and throws when the data belongs to another. */
export async function secretOfData(place: Place, transaction: Transaction<Database>): Promise<string> {
  const known = knownSecret(place);
  if (known === undefined && (await transaction(hasData)))
    throw new Error(`The database has data, but its secret is missing: ${restoringSecret(place)}`);
  const secret = known ?? makeSecret(place.dataDir);
  const { mac } = keysOf(secret);
  await transaction((tx) => recordSecret(tx, mac, newToken));
  if (!(await transaction((tx) => belongsTo(tx, mac))))
    throw new Error(`The database belongs to another secret: ${restoringSecret(place)}`);
  return secret;
}
