import { lazyPart } from '../navigation/lazy-part.tsx';

/** antd's progress bar, loaded when it is first needed: most readers of a list start nothing. */
export const Progress = lazyPart(async () => (await import('./progress-bar.ts')).Progress);
