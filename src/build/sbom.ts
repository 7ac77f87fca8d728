// The software bill of materials: what of others an installation carries, as CycloneDX 1.6. Prints it when it is run.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PRODUCT, VERSION } from "../shared/product.ts";
import { type Locked, licenceOf, neededBy, readLockfile } from "./lockfile.ts";
import { type Shipped, shippedPackages } from "./shipped_packages.ts";

const ROOT = join(import.meta.dirname, "../..");
const SELF = `pkg:generic/${PRODUCT.toLowerCase()}@${VERSION}`;

const purlOf = ({ name, version }: Locked) => `pkg:npm/${name.replace("@", "%40")}@${version}`;

function componentOf(root: string, locked: Shipped) {
  const { name, version, integrity, runsIn } = locked;
  const licence = licenceOf(root, locked);
  const [group, plain] = name.startsWith("@") ? name.split("/") : [undefined, name];
  return {
    type: "library",
    "bom-ref": purlOf(locked),
    ...(group && { group }),
    name: plain,
    version,
    scope: "required",
    hashes: [{ alg: "SHA-512", content: Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex") }],
    licenses: [/ (OR|AND|WITH) /.test(licence) ? { expression: licence } : { license: { id: licence } }],
    purl: purlOf(locked),
    properties: runsIn.map((value) => ({ name: "breachbell:runs-in", value })),
  };
}

/** Deterministic: no date, and a serial number derived from the content. */
export function createSbom(root: string): object {
  const text = readFileSync(join(root, "bun.lock"), "utf8");
  const lockfile = readLockfile(text);
  const shipped = shippedPackages(root);
  const refs = new Set(shipped.map(purlOf));
  const needsOf = (locked: Locked) => [...new Set(neededBy(lockfile, locked).map(purlOf)).intersection(refs)].sort();
  const needed = new Set(shipped.flatMap(needsOf));
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${Bun.randomUUIDv5(VERSION + text, "url")}`,
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": SELF,
        name: PRODUCT,
        version: VERSION,
        licenses: [{ license: { id: "MIT" } }],
        purl: SELF,
      },
    },
    components: [
      { type: "platform", "bom-ref": `pkg:generic/bun@${Bun.version}`, name: "bun", version: Bun.version },
      ...shipped.map((locked) => componentOf(root, locked)),
    ],
    dependencies: [
      {
        ref: SELF,
        dependsOn: [`pkg:generic/bun@${Bun.version}`, ...refs.difference(needed)],
      },
      ...shipped.map((locked) => ({ ref: purlOf(locked), dependsOn: needsOf(locked) })),
    ],
  };
}

if (import.meta.main) console.log(JSON.stringify(createSbom(ROOT), undefined, 2));
