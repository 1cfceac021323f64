import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { chunk } from './chunk.ts';

/** A component that loads when it is first drawn, within the time limit of `chunk`. Until then `meanwhile` is drawn. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  meanwhile: ReactNode = null,
): (props: Props) => ReactNode {
  const Part = lazy(async () => ({ default: await chunk(load) }));
  return function LazyPart(props) {
    return (
      <Suspense fallback={meanwhile}>
        <Part {...props} />
      </Suspense>
    );
  };
}
