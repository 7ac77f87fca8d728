/** The product's logo, a bell on a shield; decorative, as the name is next to it. */
export function Logo({ size = 32 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" fill="none" aria-hidden="true" focusable="false">
      <path fill="var(--bb-mark)" d="M16 1.5 28 5.6v9.3c0 7.3-4.8 12.6-12 15.6C8.8 27.5 4 22.2 4 14.9V5.6z" />
      <path
        fill="#fff"
        d="M16 7.2a1.3 1.3 0 0 1 1.3 1.3v.5c2.5.6 4.1 2.7 4.1 5.3v3.2l1.5 2.1a.8.8 0 0 1-.65 1.26H9.75a.8.8 0 0 1-.65-1.26l1.5-2.1v-3.2c0-2.6 1.6-4.7 4.1-5.3v-.5A1.3 1.3 0 0 1 16 7.2m-2.1 15h4.2a2.1 2.1 0 0 1-4.2 0"
      />
    </svg>
  );
}
