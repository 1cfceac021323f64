import { Skeleton } from 'antd';
import { lazyPart } from '../navigation/lazy-part.tsx';

/** The editor comes only to those who write scripts. */
export const Editor = lazyPart(
  async () => (await import('./code-editor.tsx')).CodeEditor,
  <Skeleton active />,
);
