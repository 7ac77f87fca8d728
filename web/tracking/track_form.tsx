import { TextInput } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import { useRef } from "react";
import type { Channel } from "../../src/shared/contacts.ts";
import type { Tracking } from "../api/api.ts";
import { useText } from "../app/i18n.tsx";
import { useServerForm } from "../forms/forms.ts";
import { Notice } from "../ui/display/notice.tsx";
import { PageFormButtons } from "../ui/form/form_buttons.tsx";
import { nameOf } from "../ui/frame/language_picker.tsx";
import { AlertFields, InvitationLanguage } from "./alert_fields.tsx";
import { fieldErrors } from "./contact_values.ts";
import { InvitationPreview } from "./invitation_preview.tsx";
import { OwnerCards } from "./owner_cards.tsx";
import classes from "./track_form.module.css";
import { isSameAddress, type NextStep, nextStep, type TrackValues, trackErrors, trackingOf } from "./track_values.ts";

type Props = {
  initialValues: TrackValues;
  ownEmail: string;
  offered: readonly Channel[] | undefined;
  send: (tracking: Tracking) => Promise<{ id: string }>;
  onDone: (step: NextStep, values: TrackValues) => void;
};

export function TrackForm({ initialValues, ownEmail, offered, send, onDone }: Props) {
  const text = useText();
  const { form, element, field, submit, pending } = useServerForm<TrackValues, { id: string }>({
    initialValues,
    validate: trackErrors,
    send: (values) => send(trackingOf(values)),
    failureTitle: "track.failed",
    fieldsOf: ({ fields }) => fieldErrors(fields),
    onSuccess: (_, values) => onDone(nextStep(values, ownEmail), values),
    draft: "new-track",
  });
  const { values } = form;
  const step = nextStep(values, ownEmail);
  const language = step === "invitation" ? values.invitationLanguage : values.language;
  const { choose, type } = useOwner(form, { ownEmail, proposed: initialValues.address });
  return (
    <form ref={element} onSubmit={submit} noValidate className={classes.form}>
      <OwnerCards owner={values.owner} onChoose={choose} />
      <TextInput
        label={text("track.address")}
        type="email"
        autoComplete="off"
        {...field("address")}
        onChange={({ currentTarget }) => type(currentTarget.value)}
      />
      {step === "invitation" && (
        <>
          <InvitationLanguage field={field} />
          <InvitationPreview address={values.address} language={values.invitationLanguage} />
        </>
      )}
      <AlertFields
        languageHint="track.language_hint"
        field={field}
        values={values}
        offered={offered}
        onChoose={() => form.clearFieldError("methods")}
      />
      <Notice icon={IconInfoCircle}>
        <div aria-live="polite">{text(`track.next_${step}`, { language: nameOf(language) })}</div>
      </Notice>
      <PageFormButtons
        cancelTo="dashboard"
        submitLabel={text(step === "own" ? "track.submit" : `track.submit_${step}`)}
        pending={pending}
      />
    </form>
  );
}

type OwnerForm = {
  values: TrackValues;
  setFieldValue: (name: "owner" | "address", value: never) => void;
};

/**
 * Follows the account's own address, which can only be "own": it is selected with the address and deselected after it.
 * A choice by the user is not changed by typing, as a corrected typo must not send an invitation to the user's own
 * other mailbox.
 */
function useOwner(form: OwnerForm, { ownEmail, proposed }: { ownEmail: string; proposed: string }) {
  const isChosen = useRef(false);
  const { address, owner } = form.values;
  const set = (name: "owner" | "address", value: boolean | string) => form.setFieldValue(name, value as never);
  return {
    choose(isOwner: boolean) {
      set("owner", isOwner);
      isChosen.current = true;
      // The account's own address cannot belong to another person: it is removed then, and restored when "own" is
      // selected again.
      if (!isOwner && isSameAddress(address, ownEmail)) set("address", "");
      if (isOwner && address.trim() === "" && proposed !== "") set("address", proposed);
    },
    type(typed: string) {
      set("address", typed);
      if (isSameAddress(typed, ownEmail)) {
        if (owner) return;
        isChosen.current = false;
        set("owner", true);
      } else if (owner && !isChosen.current && isSameAddress(address, ownEmail)) set("owner", false);
    },
  };
}
