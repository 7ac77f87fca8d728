import { Anchor } from "@mantine/core";
import { IconExternalLink, IconMail } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useIntl } from "react-intl";
import type { AdviceStep } from "../../src/shared/advice.ts";
import { DIRECTORIES, type DirectoryName } from "../../src/shared/services.ts";
import type { AlertDetails } from "../api/api.ts";
import { Text, useText } from "../app/i18n.tsx";
import { useFormatDate } from "../ui/display/format_date.ts";
import classes from "./service_links.module.css";

type Service = NonNullable<AlertDetails["service"]>;
type Part<Name extends keyof Service> = { is: NonNullable<Service[Name]> };

/** Where to take a step at the breached service; nothing if nobody knows. */
export function StepLinks({ step, service }: { step: AdviceStep; service: Service }) {
  const { changePassword, deletion, secondStep, passkeys } = service;
  switch (step) {
    case "password":
      return changePassword && <ChangePassword url={changePassword} />;
    case "two_steps":
      return (
        <>
          {passkeys && <Passkeys is={passkeys} />}
          {secondStep && <SecondStep is={secondStep} />}
        </>
      );
    case "unused_account":
      return deletion && <Deletion is={deletion} />;
    default:
      return null;
  }
}

function ChangePassword({ url }: { url: string }) {
  const text = useText();
  return (
    <p className={classes.links}>
      <Outside url={url}>{text("service.change_password", { host: hostOf(url) })}</Outside>
    </p>
  );
}

function Passkeys({ is: { signsIn, url } }: Part<"passkeys">) {
  const text = useText();
  return (
    <p className={classes.links}>
      {text(signsIn ? "service.passkeys_sign_in" : "service.passkeys_second")}{" "}
      {url && <Outside url={url}>{text("service.passkeys_how", { host: hostOf(url) })}</Outside>}
    </p>
  );
}

function SecondStep({ is: { kinds, url } }: Part<"secondStep">) {
  const text = useText();
  const { formatList } = useIntl();
  if (kinds.length === 0) return <p className={classes.links}>{text("service.no_second_step")}</p>;
  const list = formatList(kinds.map((kind) => text(`service.step.${kind}`)));
  return (
    <p className={classes.links}>
      {text("service.second_step", { list })}{" "}
      {url && <Outside url={url}>{text("service.how", { host: hostOf(url) })}</Outside>}
    </p>
  );
}

function Deletion({ is: { difficulty, url, email } }: Part<"deletion">) {
  const text = useText();
  const canDelete = difficulty === "easy" || difficulty === "medium";
  return (
    <p className={classes.links}>
      {text(`service.deletion.${difficulty}`)}{" "}
      {url && (
        <Outside url={url}>
          {text(canDelete ? "service.delete" : "service.about_deletion", { host: hostOf(url) })}
        </Outside>
      )}{" "}
      {email && (
        <Anchor href={`mailto:${email}`} inherit className={classes.link}>
          {text("service.write", { email })}
          <IconMail size={16} aria-hidden="true" />
        </Anchor>
      )}
    </p>
  );
}

/** A link to another website, whose host is part of its text. */
function Outside({ url, children }: { url: string; children: ReactNode }) {
  return (
    <Anchor href={url} target="_blank" rel="noopener noreferrer nofollow" inherit className={classes.link}>
      {children}
      <IconExternalLink size={16} aria-hidden="true" />
    </Anchor>
  );
}

function hostOf(url: string): string {
  return new URL(url).host.replace(/^www\./, "");
}

/** Says that the links leave this site, and who knows them; or that there are none. */
export function ServiceNote({ service }: { service: Service | null }) {
  const text = useText();
  const { formatList } = useIntl();
  const formatDate = useFormatDate();
  const known = (Object.keys(DIRECTORIES) as DirectoryName[]).flatMap((name) => {
    const entry = service?.[name];
    if (!entry) return [];
    const { name: title, url } = DIRECTORIES[name];
    const date = formatDate(entry.asOf, { dateStyle: "medium", timeZone: "UTC" });
    return [
      <Anchor key={name} href={url} target="_blank" rel="noopener noreferrer nofollow" inherit underline="always">
        {title} ({date})
      </Anchor>,
    ];
  });
  if (known.length === 0 && !service?.changePassword) return <p className={classes.note}>{text("service.unknown")}</p>;
  return (
    <p className={classes.note}>
      {text("service.leaves")} {known.length > 0 && <Text id="service.from" values={{ list: formatList(known) }} />}
    </p>
  );
}
