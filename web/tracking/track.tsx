import { Button, Skeleton } from "@mantine/core";
import { IconListDetails, IconMail } from "@tabler/icons-react";
import { usePrefetchQuery, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearchParams } from "react-router";
import { byChannel, type Channel, type ContactLists } from "../../src/shared/contacts.ts";
import { shownAddress } from "../../src/shared/shown_address.ts";
import type { Me, Profile } from "../api/api.ts";
import { post } from "../api/call.ts";
import { instanceQuery, meQuery, profileQuery } from "../api/queries.ts";
import { useLanguage, useText } from "../app/i18n.tsx";
import { Card } from "../ui/display/card.tsx";
import { PageHead } from "../ui/frame/page_head.tsx";
import { Bulk } from "./bulk.tsx";
import { contactValuesOf } from "./contact_values.ts";
import { invitationTextsQuery } from "./invitation_preview.tsx";
import { associationsQuery, useRefresh } from "./queries.ts";
import classes from "./track_form.module.css";
import { TrackForm } from "./track_form.tsx";
import type { SettingValues } from "./track_values.ts";
import { type Saved, useSaved } from "./use_saved.ts";

/** Adds one address, or with `?several` many. */
export default function Track() {
  const text = useText();
  const isBulk = useSearchParams()[0].has("several");
  const { ready, settings, ownEmail, isOwnTracked, offered } = usePrefill();
  const done = useDone();
  return (
    <>
      <PageHead title={text("track.title")} action={<OneOrSeveral isBulk={isBulk} />}>
        {text(isBulk ? "bulk.lead" : "track.lead")}
      </PageHead>
      <Card className={classes.card}>
        {!ready && <Skeleton height={420} radius="lg" />}
        {ready && isBulk && (
          <Bulk
            initialValues={settings}
            offered={offered}
            onDone={(count) => done({ message: text("bulk.done", { count }) })}
          />
        )}
        {ready && !isBulk && (
          <TrackForm
            initialValues={{
              ...settings,
              address: isOwnTracked ? "" : shownAddress(ownEmail),
              owner: !isOwnTracked,
            }}
            ownEmail={ownEmail}
            offered={offered}
            send={(body) => post("/api/associations", { body })}
            onDone={(step, { address, methods, contacts }) =>
              done({
                message: text(step === "own" ? "track.done" : `track.done_${step}`, { address: address.trim() }),
                telegram: methods.telegram ? contacts.telegram : [],
                isAgreed: step === "own",
              })
            }
          />
        )}
      </Card>
    </>
  );
}

/** Leads from the form for one address to that for several, and back. */
function OneOrSeveral({ isBulk }: { isBulk: boolean }) {
  const text = useText();
  const Mark = isBulk ? IconMail : IconListDetails;
  return (
    <Button
      component={Link}
      to={`../new-track${isBulk ? "" : "?several"}`}
      variant="default"
      leftSection={<Mark size={20} aria-hidden="true" />}
    >
      {text(isBulk ? "bulk.single" : "bulk.several")}
    </Button>
  );
}

/** The initial values, loaded before the form appears; if that fails, the form starts empty. */
function usePrefill() {
  const pageLanguage = useLanguage();
  const me = useQuery(meQuery);
  const profile = useQuery(profileQuery);
  const instance = useQuery(instanceQuery);
  const email = me.data?.email ?? "";
  const own = useQuery({ ...associationsQuery({ search: email, status: "all", page: 1 }), enabled: email !== "" });
  const offered = instance.data?.channels;
  const language = me.data?.language ?? pageLanguage;
  // So that the preview is there at once when it is wanted.
  usePrefetchQuery(invitationTextsQuery(language));
  const settings: SettingValues = {
    ...contactValuesOf(contactsOf(me.data, profile.data, offered ?? ["email"])),
    owner: false,
    language,
    invitationLanguage: language,
  };
  return {
    ready: [me, profile, instance].every(({ isPending }) => !isPending) && !own.isLoading,
    settings,
    ownEmail: email,
    // The account's own address is proposed until it is tracked.
    isOwnTracked: own.data?.items.some(({ address }) => address === email) ?? true,
    offered,
  };
}

/** The default contacts whose channels are configured, or else the account's own email. */
function contactsOf(me: Me | undefined, profile: Profile | undefined, channels: readonly Channel[]): ContactLists {
  const of = (channel: Channel) => (channels.includes(channel) ? (profile?.defaultContacts[channel] ?? []) : []);
  const lists = byChannel(of);
  const isNone = Object.values(lists).every((list) => list.length === 0);
  return isNone && me ? { ...lists, email: [me.email] } : lists;
}

function useDone() {
  const navigate = useNavigate();
  const { lang } = useParams();
  const refresh = useRefresh();
  const saved = useSaved();
  return ({ telegram = [], isAgreed = false, message }: Pick<Saved, "message"> & Partial<Saved>) => {
    void saved({ message, telegram, isAgreed });
    void refresh();
    void navigate(`/${lang}/dashboard`);
  };
}
