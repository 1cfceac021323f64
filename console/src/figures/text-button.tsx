import styles from './figures.module.css';

interface TextButtonProps {
  readonly text: string;
  /** Names the row that the button belongs to, for screen readers. */
  readonly label: string;
  readonly onClick: () => void;
}

/** A button no higher than a line of text, for use inside a row. */
export function TextButton({ text, label, onClick }: TextButtonProps) {
  return (
    <button
      type="button"
      className={styles['link']}
      aria-label={label}
      onClick={(event) => {
        // A click on the button must not open the row as well.
        event.stopPropagation();
        onClick();
      }}
    >
      {text}
    </button>
  );
}
