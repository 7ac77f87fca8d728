import { Button } from "@mantine/core";
import { IconLink } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import { remove } from "../../api/call.ts";
import { useText } from "../../app/i18n.tsx";
import { startAtProvider } from "../../shared/provider_url.ts";
import { Address } from "../../ui/display/address.tsx";
import { useFormatDate } from "../../ui/display/format_date.ts";
import { PROVIDER_ICONS, useProviders } from "../sign_in/providers.tsx";
import { useProvidersOnly } from "../sign_in/providers_only.tsx";
import { ConfirmAccountAction, useAccountAction } from "./account_action.tsx";
import classes from "./profile.module.css";
import lists from "./profile_lists.module.css";
import { linkedProvidersQuery } from "./profile_queries.ts";
import { ProfileRow } from "./profile_section.tsx";

/** Sign-in providers linked to the account; nothing if this installation offers none and none is linked. */
export function LinkedProviders() {
  const text = useText();
  const isOnly = useProvidersOnly();
  const [last, setLast] = useState<Unlinked>();
  const [opened, setOpened] = useState(false);
  const { data } = useQuery(linkedProvidersQuery);
  const linked = data?.links.map(({ provider }) => provider) ?? [];
  const shown = [...linked, ...(data?.available.filter((provider) => !linked.includes(provider)) ?? [])];
  if (shown.length === 0) return null;
  const entries = shown.map((provider) => (
    <ProviderEntry
      key={provider}
      provider={provider}
      link={data?.links.find((one) => one.provider === provider)}
      onUnlink={(label) => {
        setLast({ name: provider, label });
        setOpened(true);
      }}
    />
  ));
  return (
    <>
      <ProfileRow icon={IconLink} title={text("providers.title")} below={<ul className={lists.entries}>{entries}</ul>}>
        {text(isOnly ? "providers.lead_only" : "providers.lead")}
      </ProfileRow>
      <Unlink opened={opened} provider={last} onClose={() => setOpened(false)} />
    </>
  );
}

type Link = { label: string; email: string; linkedAt: string };
type EntryProps = { provider: string; link: Link | undefined; onUnlink: (label: string) => void };

function ProviderEntry({ provider, link, onUnlink }: EntryProps) {
  const text = useText();
  const formatDate = useFormatDate();
  const { label, icon } = useProviders()(provider);
  const name = link?.label ?? label;
  const Mark = PROVIDER_ICONS[icon];
  const start = useAccountAction({
    call: () => startAtProvider(provider, { purpose: "link" }),
    changes: [],
    failureTitle: "providers.link_failed",
    onDone: (url) => location.assign(url),
  });
  const date = link && formatDate(link.linkedAt, { dateStyle: "medium" });
  return (
    <li className={lists.entry}>
      <div className={lists.entryWords}>
        <p className={lists.name}>
          <Mark size={18} aria-hidden="true" /> {name}
        </p>
        <p className={classes.detail}>
          {link ? (
            <>
              <Address>{link.email}</Address> · {text("providers.since", { date: date ?? "" })}
            </>
          ) : (
            text("providers.unlinked")
          )}
        </p>
      </div>
      <Button
        variant="default"
        size="xs"
        loading={start.isPending}
        aria-label={text(link ? "providers.unlink_label" : "providers.link_label", { provider: name })}
        onClick={link ? () => onUnlink(name) : () => start.mutate()}
      >
        {text(link ? "providers.unlink" : "providers.link")}
      </Button>
    </li>
  );
}

type Unlinked = { name: string; label: string };
type UnlinkProps = { opened: boolean; provider: Unlinked | undefined; onClose: () => void };

function Unlink({ opened, provider: unlinked, onClose }: UnlinkProps) {
  const text = useText();
  const isOnly = useProvidersOnly();
  const { name: provider = "", label = "" } = unlinked ?? {};
  return (
    <ConfirmAccountAction
      opened={opened}
      title={text("providers.unlink_title", { provider: label })}
      confirmLabel={text("providers.unlink")}
      call={() => remove("/api/providers/:provider", { params: { provider } })}
      changes={["/api/providers"]}
      failureTitle="providers.unlink_failed"
      onDone={() => toast.success(text("providers.done", { provider: label }))}
      onClose={onClose}
    >
      {text(isOnly ? "providers.unlink_text_only" : "providers.unlink_text")}
    </ConfirmAccountAction>
  );
}
