import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { shownAddress } from "../../src/shared/shown_address.ts";
import { get } from "../api/call.ts";
import { CONNECTIONS, type StaffSettings } from "../api/staff_api.ts";
import { useText } from "../app/i18n.tsx";
import { Fetched } from "../ui/display/fetched.tsx";
import { ConnectionTest } from "./connection_test.tsx";
import { Part } from "./part.tsx";
import { Row, Rows, Told } from "./rows.tsx";
import classes from "./staff.module.css";
import { StaffPage } from "./staff_page.tsx";

const GROUPS = ["access", "channels", "sources", "plans", "data", "limits"] as const;
const TONES = { on: "safe", off: "quiet", stand_in: "note", paused: "note", troubled: "alarm" } as const;

type Item = StaffSettings[(typeof GROUPS)[number]][number];

/** What this installation uses, in which state it is, and which settings change it. */
export default function Settings() {
  const text = useText();
  const query = useQuery({
    queryKey: ["/api/staff/settings"],
    queryFn: () => get("/api/staff/settings"),
    staleTime: 0,
  });
  return (
    <StaffPage title={text("staff.settings")} lead={text("staff.settings.lead")}>
      <Fetched query={query} failureTitle={text("staff.load_failed")} height={480}>
        {(settings) => (
          <>
            {GROUPS.map((group) => (
              <Part key={group} title={text(`staff.settings.group.${group}`)}>
                <Rows empty="staff.sources.none">
                  {settings[group].map((item) => (
                    <SettingRow
                      key={item.name}
                      item={item}
                      madeAt={item.name === "backups" ? settings.lastBackupAt : null}
                    />
                  ))}
                </Rows>
              </Part>
            ))}
          </>
        )}
      </Fetched>
    </StaffPage>
  );
}

function useStateName(): (item: Item) => string {
  const text = useText();
  return ({ name, state }) => {
    if (state === "paused" || state === "troubled") return text(`staff.state.${state}`);
    return text(
      state === "stand_in" && name === "plans" ? "staff.settings.state.sandbox" : `staff.settings.state.${state}`,
    );
  };
}

function useValue(): (item: Item) => string | null {
  const text = useText();
  return ({ name, value }) => {
    if (value === null) return null;
    if (name === "mail_pace") return text("staff.settings.per_second", { value });
    return name === "records" ? text("staff.settings.days", { value }) : shownAddress(value);
  };
}

function SettingRow({ item, madeAt }: { item: Item; madeAt: string | null }) {
  const text = useText();
  const stateOf = useStateName();
  const shownOf = useValue();
  const { name, state, mode, cause, settings, testable } = item;
  const connection = CONNECTIONS.find((one) => one === name);
  const title = text(`staff.settings.part.${name}`);
  return (
    <Row
      name={title}
      tone={TONES[state]}
      state={stateOf(item)}
      facts={[
        mode && text(`staff.settings.mode.${mode}`),
        shownOf(item),
        madeAt && <Told what="staff.backups.last" iso={madeAt} />,
      ]}
    >
      <div className={classes.small}>
        {settings.map((setting) => (
          <code key={setting} className={classes.setting}>
            {setting}
          </code>
        ))}
      </div>
      {cause && (
        <Text size="sm">
          {text(
            cause === "source" || cause === "domain_key" || cause === "backup" || cause === "backup_overdue"
              ? `staff.settings.cause.${cause}`
              : `staff.settings.tested.${cause}`,
          )}
        </Text>
      )}
      {mode === "domains" && <Text size="sm">{text("staff.settings.key_unasked")}</Text>}
      {testable && connection && <ConnectionTest connection={connection} name={title} />}
    </Row>
  );
}
