import { Component, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ChunkFailure } from '../navigation/chunk.ts';
import styles from '../appearance/notice.module.css';

interface BoundaryState {
  readonly failed: 'chunk' | 'broken' | undefined;
}

/** Shown when the console did not load, or failed before its first page. It uses no part of the console. */
export class EntryBoundary extends Component<{ readonly children: ReactNode }, BoundaryState> {
  override state: BoundaryState = { failed: undefined };

  static getDerivedStateFromError(error: Error): BoundaryState {
    return { failed: error instanceof ChunkFailure ? 'chunk' : 'broken' };
  }

  override render(): ReactNode {
    const { failed } = this.state;
    return failed ? <EntryNotice failed={failed} /> : this.props.children;
  }
}

function EntryNotice({ failed }: { readonly failed: 'chunk' | 'broken' }) {
  const { t } = useTranslation();
  const key = failed === 'broken' ? 'broken' : navigator.onLine ? 'newVersion' : 'offline';
  return (
    <div className={styles['notice']} role="alert">
      <h1>{t(`errors.${key}`)}</h1>
      <p>{t(`errors.${key}Hint`)}</p>
      <button type="button" onClick={() => location.reload()}>
        {t('errors.reload')}
      </button>
    </div>
  );
}
