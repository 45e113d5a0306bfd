-- 001_roles: the capabilities. A role here can neither log in nor own anything; the application's login may SET ROLE to
-- each and inherits none. Roles belong to the whole cluster, so they may be there already: made by another database of
-- this product, or at this very moment by one. A stranger's role of the same name is refused if it can do more.
DO $$
DECLARE
  wanted TEXT;
BEGIN
  FOREACH wanted IN ARRAY ARRAY['agent_ro', 'agent_title', 'agent_image', 'visitor_rw', 'trace_ro', 'content_ro',
                                'config_ro', 'metrics_w', 'admin_rw', 'purge'] LOOP
    BEGIN
      IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = wanted) THEN
        EXECUTE format('CREATE ROLE %I NOLOGIN', wanted);
      END IF;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN
      NULL; -- another database was first
    END;
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = wanted
               AND (rolcanlogin OR rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls)) THEN
      RAISE EXCEPTION 'a role named % exists in this cluster and can do more than a capability may', wanted;
    END IF;
    -- On Encore the runtime's login is a member of this group; elsewhere the migrate step grants to xray_app.
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'encore_services') THEN
      EXECUTE format('GRANT %I TO encore_services WITH INHERIT FALSE, SET TRUE', wanted);
    END IF;
  END LOOP;
END $$;

REVOKE CREATE ON SCHEMA public FROM PUBLIC;
