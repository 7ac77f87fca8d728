import { Button } from "@mantine/core";
import { IconSpeakerphone } from "@tabler/icons-react";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import type { IncidentKind } from "../../src/operations/inputs.ts";
import { inLanguage } from "../../src/shared/localized.ts";
import { get, remove } from "../api/call.ts";
import { useSingleMutation } from "../api/single_mutation.ts";
import { useShowError } from "../app/errors.tsx";
import { useLanguage, useText } from "../app/i18n.tsx";
import { IncidentList } from "../shared/incident_list.tsx";
import { ConfirmDialog } from "../ui/dialog/confirm_dialog.tsx";
import { Dialog } from "../ui/dialog/dialog.tsx";
import { Card } from "../ui/display/card.tsx";
import { EmptyState } from "../ui/display/empty_state.tsx";
import { Fetched } from "../ui/display/fetched.tsx";
import { useFormatDate } from "../ui/display/format_date.ts";
import { Pager } from "../ui/display/pager.tsx";
import { ChangeForm, CorrectionForm, NewsForm, OpenForm } from "./incident_forms.tsx";
import type { Incident, Update } from "./incident_values.ts";
import classes from "./incidents.module.css";
import { StaffPage } from "./staff_page.tsx";

type Doing =
  | { what: "open"; kind: IncidentKind }
  | { what: "tell" | "change" | "delete"; incident: Incident }
  | { what: "change_news"; incident: Incident; update: Update }
  | undefined;

/** Manages the incidents on the status page. */
export default function Incidents() {
  const text = useText();
  const queryClient = useQueryClient();
  const [page, setPage] = useState(1);
  const [doing, setDoing] = useState<Doing>();
  const query = useQuery({
    queryKey: ["/api/staff/incidents", page],
    queryFn: () => get("/api/staff/incidents", { query: { page } }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const close = () => setDoing(undefined);
  const done = () => {
    toast.success(text("incidents.saved"));
    close();
    return queryClient.invalidateQueries({ queryKey: ["/api/staff/incidents"] });
  };
  return (
    <StaffPage
      title={text("incidents.title")}
      lead={text("incidents.lead")}
      action={<Beginnings onChoose={setDoing} />}
    >
      <Fetched query={query} failureTitle={text("incidents.load_failed")} height={360}>
        {({ items, total, pageSize }) =>
          total === 0 ? (
            <EmptyState order={2} icon={IconSpeakerphone} title={text("incidents.none")}>
              {text("incidents.none_text")}
            </EmptyState>
          ) : (
            <>
              <Card>
                <IncidentList
                  heading="h2"
                  incidents={items}
                  actions={(incident) => <Actions incident={incident} onChoose={setDoing} />}
                  newsActions={(incident, update) => (
                    <CorrectNews at={update.at} onChoose={() => setDoing({ what: "change_news", incident, update })} />
                  )}
                />
              </Card>
              <Pager page={page} total={total} pageSize={pageSize} onPage={setPage} />
            </>
          )
        }
      </Fetched>
      <Doings doing={doing} onDone={done} onClose={close} />
    </StaffPage>
  );
}

function Beginnings({ onChoose }: { onChoose: (doing: Doing) => void }) {
  const text = useText();
  return (
    <div className={classes.buttons} data-incident-start>
      <Button onClick={() => onChoose({ what: "open", kind: "incident" })}>{text("incidents.new")}</Button>
      <Button variant="default" onClick={() => onChoose({ what: "open", kind: "maintenance" })}>
        {text("incidents.plan")}
      </Button>
    </div>
  );
}

function Actions({ incident, onChoose }: { incident: Incident; onChoose: (doing: Doing) => void }) {
  const text = useText();
  return (
    <>
      {(["tell", "change", "delete"] as const).map((what) => (
        <Button
          key={what}
          size="compact-md"
          variant={what === "tell" ? "light" : "default"}
          onClick={() => onChoose({ what, incident })}
        >
          {text(`incidents.${what}`)}
        </Button>
      ))}
    </>
  );
}

/** Its label contains the time, as there are several such buttons. */
function CorrectNews({ at, onChoose }: { at: string; onChoose: () => void }) {
  const text = useText();
  const formatDate = useFormatDate();
  const time = formatDate(at, { dateStyle: "medium", timeStyle: "short" });
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      className={classes.correct ?? ""}
      aria-label={text("incidents.change_news_of", { time })}
      onClick={onChoose}
    >
      {text("incidents.change")}
    </Button>
  );
}

type DoingsProps = { doing: Doing; onDone: () => void; onClose: () => void };

function Doings({ doing, onDone, onClose }: DoingsProps) {
  const text = useText();
  const shared = { onDone, onCancel: onClose };
  if (doing?.what === "delete") return <Deletion incident={doing.incident} onDone={onDone} onClose={onClose} />;
  const title =
    doing === undefined
      ? ""
      : doing.what === "open"
        ? text(doing.kind === "incident" ? "incidents.new" : "incidents.plan")
        : text(`incidents.${doing.what}`);
  return (
    <Dialog opened={doing !== undefined} onClose={onClose} title={title}>
      {doing?.what === "open" && <OpenForm kind={doing.kind} {...shared} />}
      {doing?.what === "tell" && <NewsForm incident={doing.incident} {...shared} />}
      {doing?.what === "change_news" && <CorrectionForm incident={doing.incident} update={doing.update} {...shared} />}
      {doing?.what === "change" && <ChangeForm incident={doing.incident} {...shared} />}
    </Dialog>
  );
}

function Deletion({ incident, onDone, onClose }: { incident: Incident; onDone: () => void; onClose: () => void }) {
  const text = useText();
  const language = useLanguage();
  const title = inLanguage(incident.title, language).text;
  const { mutate, isPending } = useSingleMutation({
    mutationFn: () => remove("/api/staff/incidents/:id", { params: { id: incident.id } }),
    onSuccess: onDone,
    onError: useShowError("incidents.failed"),
  });
  return (
    <ConfirmDialog
      opened
      title={text("incidents.delete_question", { title })}
      confirmLabel={text("incidents.delete")}
      danger
      pending={isPending}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      {text("incidents.delete_text")}
    </ConfirmDialog>
  );
}
