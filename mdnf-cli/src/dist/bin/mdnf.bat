@echo off
rem Runs MDNF's command line as it was unpacked. MDNF_JAVA_OPTS: options for java.
setlocal
set "java=java"
if defined JAVA_HOME set "java=%JAVA_HOME%\bin\java"
"%java%" -XX:+UseSerialGC %MDNF_JAVA_OPTS% -cp "%~dp0..\lib\*" io.mdnf.cli.Main %*
exit /b %ERRORLEVEL%
