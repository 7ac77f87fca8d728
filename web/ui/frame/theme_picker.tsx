import { useMantineColorScheme, VisuallyHidden } from "@mantine/core";
import { IconDeviceDesktop, IconMoon, IconSun } from "@tabler/icons-react";
import { useSyncExternalStore } from "react";
import { useText } from "../../app/i18n.tsx";
import { Segments } from "../form/segments.tsx";

const SCHEMES = [
  { value: "light", label: "theme.light", icon: IconSun },
  { value: "dark", label: "theme.dark", icon: IconMoon },
  { value: "auto", label: "theme.system", icon: IconDeviceDesktop },
] as const;

/** Switches between light, dark and the system's scheme. */
export function ThemePicker() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  // A prerendered document does not know the device's choice.
  const shown = useSyncExternalStore(
    () => () => undefined,
    () => colorScheme,
    () => "auto" as const,
  );
  const text = useText();
  return (
    <Segments
      aria-label={text("theme.label")}
      value={shown}
      onChange={setColorScheme}
      options={SCHEMES.map(({ value, label, icon: Mark }) => ({
        value,
        label: (
          <>
            <Mark size={18} stroke={1.75} aria-hidden="true" display="block" />
            <VisuallyHidden>{text(label)}</VisuallyHidden>
          </>
        ),
      }))}
    />
  );
}
