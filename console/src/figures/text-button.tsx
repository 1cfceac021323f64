import styles from './figures.module.css';

interface TextButtonProps {
  readonly text: string;
  /** Says which row it belongs to, for those who do not see the row. */
  readonly label: string;
  readonly onClick: () => void;
}

/** A button that keeps to the height of a line, for use inside a row. */
export function TextButton({ text, label, onClick }: TextButtonProps) {
  return (
    <button
      type="button"
      className={styles['link']}
      aria-label={label}
      onClick={(event) => {
        // The row it stands in may open by a click of its own.
        event.stopPropagation();
        onClick();
      }}
    >
      {text}
    </button>
  );
}
