import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { chunk } from './chunk.ts';

/** A component that is loaded when it is first drawn, within the limit of `chunk`; until then `meanwhile` stands in its place. */
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
