import { Button, TextInput } from "@mantine/core";
import { IconAlertTriangle, IconBell } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import type { ContactHealth } from "../api/api.ts";
import { pushKeyQuery } from "../api/queries.ts";
import { useLanguage, useText } from "../app/i18n.tsx";
import type { TextId } from "../app/text_id.ts";
import { contactName } from "../shared/contact_name.ts";
import { Notice } from "../ui/display/notice.tsx";
import classes from "./add_contact.module.css";
import {
  browserName,
  connectDevice,
  deviceName,
  NotSubscribed,
  type PushSupport,
  pushSupport,
} from "./push_browser.ts";
import { useContactAction } from "./queries.ts";

type Problem = Exclude<PushSupport, "ready"> | NotSubscribed["reason"];
type Wanted = { name: string; contactId?: string; everywhere: boolean };

/** Connects this browser. `problem` is why that is not possible, or did not work. */
function usePushDevice() {
  const text = useText();
  const language = useLanguage();
  const support = pushSupport();
  const { data } = useQuery({ ...pushKeyQuery, enabled: support === "ready" });
  const [problem, setProblem] = useState<Problem | undefined>(support === "ready" ? undefined : support);
  const { mutate, isPending } = useContactAction({
    async call(wanted: Wanted) {
      setProblem(undefined);
      try {
        return await connectDevice(data?.key ?? "", { ...wanted, language });
      } catch (error) {
        if (!(error instanceof NotSubscribed)) throw error;
        setProblem(error.reason);
        return undefined;
      }
    },
    failureTitle: "push_device.failed",
    onDone: (connected) => connected && toast.success(text("push_device.done")),
  });
  return { problem, connect: mutate, isPending, canConnect: support === "ready" && data !== undefined };
}

function ProblemNotice({ problem }: { problem: Problem }) {
  const text = useText();
  const says = `push_device.${problem}` satisfies TextId;
  return (
    <Notice icon={IconAlertTriangle} tone="note">
      <div role="alert">{text(says, { browser: browserName() })}</div>
    </Notice>
  );
}

/** Makes this browser a contact: what it will ask, the name of the device, and what to do if it was not allowed. */
export function PushDevice({ everywhere }: { everywhere: boolean }) {
  const text = useText();
  const { problem, connect, isPending, canConnect } = usePushDevice();
  const [name, setName] = useState(deviceName);
  const press = () => connect({ name: name.trim() || deviceName(), everywhere });
  if (problem === "unsupported" || problem === "install_first") return <ProblemNotice problem={problem} />;
  return (
    <>
      <p>{text("push_device.lead")}</p>
      <div className={classes.line}>
        <TextInput
          className={classes.value}
          label={text("push_device.name")}
          maxLength={60}
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            if (canConnect && !isPending) press();
          }}
        />
        <Button
          leftSection={<IconBell size={18} aria-hidden="true" />}
          disabled={!canConnect}
          loading={isPending}
          onClick={press}
        >
          {text("push_device.turn_on")}
        </Button>
      </div>
      {problem ? <ProblemNotice problem={problem} /> : <p>{text("push_device.before", { browser: browserName() })}</p>}
    </>
  );
}

/** Gives a device that no longer accepts notifications a new subscription: that of this browser. */
export function ConnectAgain({ contact }: { contact: ContactHealth }) {
  const text = useText();
  const { problem, connect, isPending, canConnect } = usePushDevice();
  return (
    <>
      <Button
        size="sm"
        variant="default"
        disabled={!canConnect}
        loading={isPending}
        aria-label={text("push_device.again_label", { value: contactName(contact) })}
        onClick={() => connect({ name: contactName(contact), contactId: contact.id, everywhere: false })}
      >
        {text("push_device.again")}
      </Button>
      {problem && problem !== "unsupported" && problem !== "install_first" && <ProblemNotice problem={problem} />}
    </>
  );
}
