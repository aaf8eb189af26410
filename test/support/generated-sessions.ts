/**
 * SQL that fills the tables in the database itself, for tests and measurements with many sessions. Session `n` is `session-n` of tenant
 * `tenant-(n % 50)`; `bytes` is the approximate size of an envelope.
 */
export function generateSessions(sessions: number, envelopes: number, bytes: number, first = 1): string {
  const numbers = `generate_series(${first}, ${first + sessions - 1})`;
  const noon = "extract(epoch FROM timestamptz '2026-01-15T12:00:00Z') * 1000";
  return `
    INSERT INTO agent_inspector.sessions
      SELECT 'tenant-' || n % 50, 'session-' || n, gen_random_uuid(), 1, 'user-' || n % 10, NULL, 'Title ' || n,
        'session-' || n || U&'\\FDD1' || 'user-' || n % 10 || U&'\\FDD1' || 'title ' || n,
        ${noon}, ${noon}, ${noon} + n * 1000, ${noon} + n * 1000,
        last_active,
        decode(regexp_replace(encode(convert_to('tenant-' || n % 50, 'UTF8'), 'hex'), '(..)', '00\\1', 'g') || '0000' ||
          regexp_replace(encode(convert_to('session-' || n, 'UTF8'), 'hex'), '(..)', '00\\1', 'g'), 'hex'),
        state,
        3, 1000, 200, 0, 0, '{"activity":{}}', '{"activity":{}}', ${envelopes}, 0, 0, 0, 0
      FROM ${numbers} AS n, LATERAL (SELECT
        to_char((timestamptz '2026-01-15T12:00:00Z' + n * interval '1 second') AT TIME ZONE 'UTC',
          'YYYY-MM-DD"T"HH24:MI:SS".000Z"') AS last_active,
        CASE WHEN n % 20 = 0 THEN 'error' WHEN n % 97 = 0 THEN 'running' ELSE 'idle' END AS state) AS of_session;
    INSERT INTO agent_inspector.trace_envelopes
      SELECT tenant_id, session_id, position, gen_random_uuid(), octet_length(record), 't1', position,
        ${noon} + position * 100, record, NULL
      FROM (
        SELECT 'tenant-' || n % 50 AS tenant_id, 'session-' || n AS session_id, position,
          json_build_object(
            'id', gen_random_uuid(),
            'timestamp', to_char((timestamptz '2026-01-15T12:00:00Z' + position * interval '0.1 second') AT TIME ZONE 'UTC',
              'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'sequence', position, 'source', 'runtime', 'sessionId', 'session-' || n, 'tenantId', 'tenant-' || n % 50,
            'traceId', 't1', 'event', json_build_object('type', 'tool.end', 'toolCallId', 'call-' || position,
              'output', (SELECT string_agg(md5(n || ' ' || position || ' ' || i), '') FROM
                generate_series(1, ${Math.max(1, Math.round((bytes - 280) / 32))}) AS i))
          )::text AS record
        FROM ${numbers} AS n, generate_series(0, ${envelopes - 1}) AS position
      ) AS envelopes;
    ANALYZE agent_inspector.sessions, agent_inspector.trace_envelopes;
  `;
}
