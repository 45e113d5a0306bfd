/** The drawn signs of the interface. All are decoration: whoever uses one says in words what it means. */
export function BrandMark() {
  return (
    <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <path d="M1 1h9v18H1z" fill="currentColor" />
      <path d="M10 1.5h8.5v17H10M12.6 1.5v17M14.6 1.5v17M16.6 1.5v17" fill="none" stroke="currentColor" />
    </svg>
  );
}

export function HalfDisc() {
  return (
    <svg
      viewBox="0 0 16 16"
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.3"
      aria-hidden="true"
    >
      <circle cx="8" cy="8" r="6" />
      <path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor" />
    </svg>
  );
}

export function MenuLines() {
  return (
    <svg
      viewBox="0 0 18 18"
      width="18"
      height="18"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      aria-hidden="true"
    >
      <path d="M3 5h12M3 9h12M3 13h8" />
    </svg>
  );
}

export function Triangle({ className }: { className?: string }) {
  return (
    <svg className={className} viewBox="0 0 8 8" aria-hidden="true">
      <path d="M1 0l6 4-6 4z" />
    </svg>
  );
}

export function Check() {
  return (
    <svg className="glyph" viewBox="0 0 10 10" aria-hidden="true">
      <path d="M0.8 5.4 3.8 8.4 9.4 1.8" fill="none" />
    </svg>
  );
}

export function Cross() {
  return (
    <svg className="glyph" viewBox="0 0 10 10" aria-hidden="true">
      <path d="M1 1l8 8M9 1l-8 8" fill="none" strokeWidth="2" />
    </svg>
  );
}
