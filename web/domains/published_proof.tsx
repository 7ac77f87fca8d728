import { Text } from "@mantine/core";
import { shownDomain } from "../../src/shared/shown_address.ts";
import type { Domain } from "../api/domains_api.ts";
import { useText } from "../app/i18n.tsx";
import type { TextId } from "../app/text_id.ts";
import { Fact } from "../ui/display/fact.tsx";
import { CopyField } from "../ui/form/copy_field.tsx";
import classes from "./domains.module.css";

type Line = { label: TextId; value: string };

/** What the holder of a domain publishes, by the kind of proof. */
function linesOf({ name, proof, record }: Domain): Line[] {
  if (record === null) return [];
  if (proof === "dns")
    return [
      { label: "domain.record_name", value: `_breachbell.${name}` },
      { label: "domain.record_value", value: record.value },
    ];
  if (proof === "file")
    return [
      { label: "domain.file_address", value: `https://${name}/.well-known/breachbell.txt` },
      { label: "domain.file_line", value: record.value },
    ];
  return [{ label: "domain.meta_tag", value: `<meta name="breachbell-verification" content="${record.token}">` }];
}

/** Exactly what to publish, to copy. */
export function PublishedProof({ domain }: { domain: Domain }) {
  const text = useText();
  const { name, proof } = domain;
  if (proof === "mail") return null;
  return (
    <>
      <Text>{text(`domain.publish_${proof}`, { domain: shownDomain(name) })}</Text>
      <CopiedLines lines={linesOf(domain)} />
    </>
  );
}

/** Values to copy, each with its name. */
export function CopiedLines({ lines }: { lines: Line[] }) {
  const text = useText();
  const words = { copy: text("domain.copy"), copied: text("domain.copied"), failed: text("domain.copy_failed") };
  return (
    <dl className={classes.records}>
      {lines.map(({ label, value }) => (
        <Fact key={label} label={text(label)}>
          <CopyField label={text(label)} value={value} words={words} />
        </Fact>
      ))}
    </dl>
  );
}
