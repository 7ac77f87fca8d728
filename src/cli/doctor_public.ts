import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ANSWERING, ASKING } from "../http/doctor_route.ts";
import { isLoopbackHost } from "../shared/loopback.ts";
import { VERSION } from "../shared/product.ts";
import type { DatabaseContext } from "./command.ts";
import { ask, type Finding, fail, field, finding, ok, warn } from "./doctor_finding.ts";

type Config = DatabaseContext["config"];
type Mac = DatabaseContext["mac"];

/** Whether the proxy in front forwards the client's address and is trusted, or there is no proxy. */
function proxyFinding(forwarded: boolean, believed: boolean, trusted: string[]): Finding {
  if (forwarded && !believed)
    return fail(
      "Requests come through a proxy that TRUST_PROXY does not name: all visitors count as one",
      "Set TRUST_PROXY to its address",
    );
  if (!forwarded && trusted.length > 0)
    return warn(
      "TRUST_PROXY is set, but requests arrive without X-Forwarded-For",
      "Have the proxy set X-Forwarded-For, or remove TRUST_PROXY if there is no proxy",
    );
  return ok(forwarded ? "TRUST_PROXY names the proxy" : "There is no proxy in between");
}

/** Whether the connection to the public URL is encrypted. */
function transportFinding({ publicUrl, production }: Config): Finding {
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol === "https:") return ok(`${publicUrl} is https`);
  if (isLoopbackHost(hostname))
    return finding(
      production ? "warn" : "ok",
      `${publicUrl} can only be opened on this machine`,
      production ? "Set PUBLIC_URL to the https address that people open" : undefined,
    );
  return fail(
    `${publicUrl} is plain http: passwords can be read in transit`,
    "Use a reverse proxy with a certificate, and set PUBLIC_URL to https",
  );
}

function versionFinding(version: unknown): Finding {
  return finding(
    version === VERSION ? "ok" : "warn",
    version === VERSION ? "It leads to this installation" : "It leads to this installation, but to another version",
    "Restart the older process",
  );
}

/** Requests the public URL and verifies by a MAC that the same installation answers. */
async function destinationFindings({ publicUrl, trustProxy }: Config, mac: Mac): Promise<Finding[]> {
  const nonce = randomUUID();
  const url = new URL(`${publicUrl}/api/doctor`);
  url.search = new URLSearchParams({ nonce, proof: mac(ASKING, nonce) }).toString();
  const answer = await ask(url);
  if ("trouble" in answer)
    return [
      fail(
        `${publicUrl} cannot be reached from here: ${answer.trouble}`,
        "Start the server, and check name, port, certificate and firewall",
      ),
    ];
  const isRedirect = answer.status >= 300 && answer.status < 400;
  if (isRedirect) return [fail(`${publicUrl} redirects to another address`, "Set PUBLIC_URL to that address")];
  if (field(answer.body, "proof") !== mac(ANSWERING, nonce))
    return [
      fail(
        `${publicUrl} leads to something else (${answer.status})`,
        "Correct PUBLIC_URL or the proxy; every process needs the same APP_SECRET and version",
      ),
    ];
  return [
    versionFinding(field(answer.body, "version")),
    proxyFinding(field(answer.body, "forwarded") === true, field(answer.body, "believed") === true, trustProxy),
  ];
}

/** Whether the public URL, which is in every link, leads to this installation. */
export async function checkPublicUrl({ config, mac }: DatabaseContext): Promise<Finding[]> {
  const transport = transportFinding(config);
  if (config.secret.kind === "file" && !existsSync(join(config.dataDir, "secret.key")))
    return [transport, warn("Known only after the first start", "Start the server once")];
  return [transport, ...(await destinationFindings(config, mac))];
}
