import { Skeleton } from 'antd';
import { lazy, Suspense } from 'react';
import { chunk } from '../navigation/chunk.ts';
import type { CodeEditorProps } from './code-editor.tsx';

const Loaded = lazy(async () => ({
  default: await chunk(async () => (await import('./code-editor.tsx')).CodeEditor),
}));

/** The editor comes only to those who write scripts. */
export function Editor(props: CodeEditorProps) {
  return (
    <Suspense fallback={<Skeleton active />}>
      <Loaded {...props} />
    </Suspense>
  );
}
