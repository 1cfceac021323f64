import { Component, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ChunkFailure } from '../navigation/chunk.ts';
import { Notice } from './notice.tsx';

interface BoundaryState {
  readonly error: Error | undefined;
}

/** A page that fails does not affect the other pages and the shell. */
export class PageBoundary extends Component<{ readonly children: ReactNode }, BoundaryState> {
  override state: BoundaryState = { error: undefined };

  static getDerivedStateFromError(error: Error): BoundaryState {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    return error instanceof ChunkFailure ? (
      <ChunkNotice />
    ) : (
      <BrokenNotice onRetry={() => this.setState({ error: undefined })} />
    );
  }
}

function ChunkNotice() {
  const { t } = useTranslation();
  const key = navigator.onLine ? 'newVersion' : 'offline';
  return (
    <Notice
      heading={t(`errors.${key}`)}
      text={t(`errors.${key}Hint`)}
      action={t('errors.reload')}
      onAction={() => location.reload()}
    />
  );
}

function BrokenNotice({ onRetry }: { readonly onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <Notice
      heading={t('errors.broken')}
      text={t('errors.brokenHint')}
      action={t('common.retry')}
      onAction={onRetry}
    />
  );
}
