-- The games of measurements are in the results of their jobs now. A measurement that is not finished begins anew.
DROP TABLE lab_games;
ALTER TABLE lab_jobs DROP COLUMN spent;
