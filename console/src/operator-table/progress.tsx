import { lazyPart } from '../navigation/lazy-part.tsx';

/** antd's own, loaded when something first runs: most who read a list start nothing. */
export const Progress = lazyPart(async () => (await import('./progress-bar.ts')).Progress);
