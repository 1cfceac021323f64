/** The logo: three streams that meet. */
export function Mark({ size = 24 }: { readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 32 32"
      fill="none"
      stroke="var(--accent)"
      strokeWidth="3.4"
      strokeLinecap="round"
      aria-hidden
    >
      <path d="M4 6c7 0 8 10 14 10h10" />
      <path d="M4 16h24" strokeOpacity=".62" />
      <path d="M4 26c7 0 8-10 14-10" strokeOpacity=".36" />
    </svg>
  );
}
