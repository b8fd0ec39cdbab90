import type { ProblemState } from '../model/dev-state.ts';

/** What a person should fix, above everything else. Screen readers say it when it appears. */
export function Problems({ problems }: { problems: readonly ProblemState[] }) {
  return (
    <section class="problems" aria-label="Problems" aria-live="assertive">
      {problems.map(({ source, message, hint, location }) => (
        <div key={`${source} ${location} ${message}`} class="problem">
          <p>
            <span aria-hidden="true">✕</span> <strong>{source}</strong>
            {location !== undefined && (
              <>
                {' '}
                <code>{location}</code>
              </>
            )}
          </p>
          <pre>{message}</pre>
          {hint !== undefined && <p>{hint}</p>}
        </div>
      ))}
    </section>
  );
}
