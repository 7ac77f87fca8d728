import { Checkbox, Stack, TextInput } from "@mantine/core";
import { useText } from "../app/i18n.tsx";
import type { Field } from "../forms/forms.ts";

/** Settings for devices and emergency priority. */
export function PushoverFields({ field, devices }: { field: Field; devices: string[] }) {
  const text = useText();
  return (
    <>
      {devices.length > 0 ? (
        <Checkbox.Group
          label={text("contact_settings.devices")}
          description={text("contact_settings.devices_hint")}
          {...field("devices")}
        >
          <Stack gap="xs" mt="xs">
            {devices.map((device) => (
              <Checkbox key={device} value={device} label={device} />
            ))}
          </Stack>
        </Checkbox.Group>
      ) : (
        <TextInput
          label={text("contact_settings.device")}
          description={text("contact_settings.device_hint")}
          autoComplete="off"
          {...field("device")}
        />
      )}
      <Checkbox
        label={text("contact_settings.emergency")}
        description={text("contact_settings.emergency_hint")}
        {...field("emergency", "checkbox")}
      />
    </>
  );
}
