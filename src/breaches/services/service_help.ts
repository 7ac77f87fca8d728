import { SECOND_STEPS, type ServiceHelp } from "../../shared/services.ts";
import type { Breach } from "../catalogue/breach.ts";
import { isOfManyServices } from "../catalogue/many_services.ts";
import { secureLink } from "../catalogue/secure_link.ts";
import type { Directories } from "./service_ports.ts";

const DOMAIN = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/;
const MAILBOX = /^[^\s@<>()?&]{1,64}@[a-z0-9.-]{1,253}$/i;

/** Whether it is a public domain name in lower case: no address, port or path. */
export function isDomain(text: string): boolean {
  return DOMAIN.test(text);
}

/** The domain of the one service that lost the data, in lower case; undefined if there is none. */
export function serviceDomain(breach: Pick<Breach, "title" | "domain" | "flags" | "description">): string | undefined {
  const domain = breach.domain.trim().toLowerCase();
  return isDomain(domain) && !breach.flags.includes("drill") && !isOfManyServices(breach) ? domain : undefined;
}

/** The domain and its parents, the longest first: `a.example.co.uk`, `example.co.uk`, `co.uk`. */
export function parentsOf(domain: string): string[] {
  const labels = domain.replace(/^www\./, "").split(".");
  return labels.slice(0, -1).map((_, place) => labels.slice(place).join("."));
}

/** The entry of the longest of these names that has one. */
export function entryOf<Entry>(entries: ReadonlyMap<string, Entry>, names: string[]): Entry | undefined {
  const known = names.find((name) => entries.has(name));
  return known === undefined ? undefined : entries.get(known);
}

/** What directories know of the service with this domain; a link that is not https is left out. */
export function serviceHelp(directories: Directories, domain: string, hasPage: boolean): ServiceHelp {
  const names = parentsOf(domain);
  const link = (url: string | undefined) => secureLink(url) ?? null;
  const { deletion, secondStep, passkeys } = directories;
  const deleting = entryOf(deletion.entries, names);
  const second = entryOf(secondStep.entries, names);
  const keys = entryOf(passkeys.entries, names);
  return {
    domain,
    changePassword: hasPage ? `https://${domain}/.well-known/change-password` : null,
    deletion: deleting
      ? {
          difficulty: deleting.difficulty,
          url: link(deleting.url),
          email: deleting.email !== undefined && MAILBOX.test(deleting.email) ? deleting.email : null,
          asOf: deletion.asOf,
        }
      : null,
    secondStep: second
      ? {
          kinds: SECOND_STEPS.filter((kind) => second.kinds.includes(kind)),
          url: link(second.url),
          asOf: secondStep.asOf,
        }
      : null,
    passkeys: keys ? { signsIn: keys.signsIn, url: link(keys.url), asOf: passkeys.asOf } : null,
  };
}
