-- What a server calls for a request; the columns of `entry_points` but `role`.
SELECT * EXCLUDE (role) FROM entry_points WHERE role = 'route'
