import { Checkbox } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import { useRef } from "react";
import { useNavigate, useParams } from "react-router";
import type { Channel } from "../../src/shared/contacts.ts";
import type { AssociationDetails } from "../api/api.ts";
import { put } from "../api/call.ts";
import { cancelled } from "../api/cancelled.ts";
import { useText } from "../app/i18n.tsx";
import { useServerForm } from "../forms/forms.ts";
import { ConfirmDialog } from "../ui/dialog/confirm_dialog.tsx";
import { Notice } from "../ui/display/notice.tsx";
import { PageFormButtons } from "../ui/form/form_buttons.tsx";
import { LeaveGuard } from "../ui/form/leave_guard.tsx";
import { useQuestion } from "../ui/form/use_question.ts";
import { AlertFields, InvitationLanguage } from "./alert_fields.tsx";
import { fieldErrors } from "./contact_values.ts";
import { useRefresh } from "./queries.ts";
import classes from "./track_form.module.css";
import { isAskedAnew, type UpdateValues, updateErrors, updateOf, updateValuesOf } from "./track_values.ts";
import { useSaved } from "./use_saved.ts";

type Props = { association: AssociationDetails; offered: readonly Channel[] | undefined };

/** The settings of a tracked address. */
export function UpdateForm({ association, offered }: Props) {
  const text = useText();
  const { form, element, field, submit, pending, question, isUnsaved } = useUpdateForm(association);
  return (
    <>
      <form ref={element} onSubmit={submit} noValidate className={classes.form}>
        <State association={association} />
        {association.consent !== "own" && (
          <Checkbox
            label={text("track.owner")}
            description={text("update.owner_hint")}
            {...field("owner", "checkbox")}
          />
        )}
        {isAskedAnew(form.values, association.owner) && <InvitationLanguage field={field} />}
        <AlertFields
          languageHint="track.language_hint"
          field={field}
          values={form.values}
          offered={offered}
          onChoose={() => form.clearFieldError("methods")}
        />
        <Checkbox
          label={text("update.paused")}
          description={text("update.paused_hint")}
          {...field("paused", "checkbox")}
        />
        <PageFormButtons cancelTo="dashboard" submitLabel={text("update.save")} pending={pending} />
      </form>
      <ConfirmDialog
        opened={question.opened}
        title={text("update.ask_title")}
        confirmLabel={text("update.ask_confirm")}
        danger
        pending={false}
        onConfirm={question.yes}
        onClose={question.no}
      >
        {text("update.ask_text", { address: association.address })}
      </ConfirmDialog>
      <LeaveGuard isUnsaved={isUnsaved} />
    </>
  );
}

/** The form, which asks back before another owner of the address is asked. */
function useUpdateForm(association: AssociationDetails) {
  const { id, owner, consent } = association;
  const saved = useRef(false);
  const done = useDone(association);
  const question = useQuestion();
  const server = useServerForm<UpdateValues, AssociationDetails>({
    initialValues: updateValuesOf(association),
    validate: updateErrors,
    async send(values) {
      const isAskedAgain = consent !== "own" && values.owner !== owner;
      if (isAskedAgain && !(await question.ask())) throw cancelled();
      return put("/api/associations/:id", { params: { id }, body: updateOf(values, owner) });
    },
    failureTitle: "update.failed",
    fieldsOf: ({ fields }) => fieldErrors(fields),
    draft: `update-track/${id}`,
    onSuccess(answer, { methods, contacts: typed }) {
      saved.current = true;
      done(answer, methods.telegram ? typed.telegram : []);
    },
  });
  return { ...server, question, isUnsaved: () => server.form.isDirty() && !saved.current };
}

/** Why the address is not checked, other than the account's own pause. */
function State({ association: { consent, suspended } }: { association: AssociationDetails }) {
  const text = useText();
  if (consent !== "pending" && !suspended) return null;
  return (
    <Notice icon={IconInfoCircle} tone="note">
      {text(consent === "pending" ? "update.pending" : "association.suspended")}
    </Notice>
  );
}

function useDone(before: AssociationDetails) {
  const text = useText();
  const navigate = useNavigate();
  const { lang } = useParams();
  const refresh = useRefresh();
  const saved = useSaved();
  return (after: AssociationDetails, telegram: string[]) => {
    // A new id means that the owner has been asked again.
    const message = text(after.id === before.id ? "update.saved" : "update.asked", { address: before.address });
    void saved({ message, telegram, isAgreed: after.consent !== "pending" });
    void refresh();
    void navigate(`/${lang}/dashboard`);
  };
}
