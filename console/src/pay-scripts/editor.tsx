import { Skeleton } from 'antd';
import { lazyPart } from '../navigation/lazy-part.tsx';

/** The editor loads only for users who write scripts. */
export const Editor = lazyPart(
  async () => (await import('./code-editor.tsx')).CodeEditor,
  <Skeleton active />,
);
